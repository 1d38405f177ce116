// The turn page without waiting for whole pages. Everything here is a link or a form already and works
// without this script: it fetches what they lead to, puts the new step in the old one's place, keeps the
// focus, lets arrow keys walk over the board, and says when the server cannot be reached.

const STEP = "plan";
const PATIENCE = 15000;
const TWICE = 1500;
const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
let asked = 0;
let sent = 0;
let failed = false;
let sure = false;

const here = () => document.getElementById(STEP);
const sameTurn = (address) => address.origin === location.origin && address.pathname === location.pathname;
document.documentElement.classList.add("scripted");

const busy = () => here().setAttribute("aria-busy", "true");
function rest() {
  sent = 0;
  here().removeAttribute("aria-busy");
}

// What goes wrong, below the board; false on a page without a place for it.
function trouble(kind) {
  const place = document.getElementById("trouble");
  if (!place) return false;
  place.hidden = !kind;
  place.textContent = kind ? here().dataset[kind] : "";
  return true;
}

// To be where this was to lead as a whole page; to be there already is to load it again.
function follow(address) {
  if (address.href.split("#")[0] === location.href.split("#")[0]) location.reload();
  else location.assign(address);
}

// What an address answers, or null if nobody does, or not in time.
async function ask(address, method = "GET", body = undefined) {
  const stop = new AbortController();
  const patience = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(address, { method, body, headers: { Accept: "text/html" }, credentials: "same-origin", signal: stop.signal });
    failed = false;
    return { answer, text: await answer.text() };
  } catch (error) {
    // What fetch throws for a network that fails, and for having been stopped.
    if (error.name !== "TypeError" && error.name !== "AbortError") throw error;
    failed = true;
    return null;
  } finally {
    clearTimeout(patience);
  }
}

// Take a step. Whatever this script cannot do, the link itself can. What is posted is shown, not played.
async function show(address, keep, push = true, body = undefined) {
  const turn = ++asked;
  sent = 0;
  busy();
  try {
    const found = await ask(address, body ? "POST" : "GET", body);
    const to = body && found?.answer.redirected ? new URL(found.answer.url) : address;
    if (turn === asked && !put(found, to, keep, push && (!body || to !== address))) follow(to);
  } catch {
    if (turn === asked) follow(address);
  }
}

// Put what was found in the old step's place, or say what went wrong; false if a whole page has to tell.
function put(found, address, keep, push) {
  const wrong = !found ? "offline" : found.answer.status >= 500 ? "failed" : "";
  if (wrong) {
    rest();
    return trouble(wrong);
  }
  const { answer, text } = found;
  const fresh = answer.ok && sameTurn(new URL(answer.url)) && new DOMParser().parseFromString(text, "text/html");
  const step = fresh && fresh.getElementById(STEP);
  // Played meanwhile, or signed out.
  if (!step) return false;
  for (const id of ["verdict", "problem"]) {
    document.getElementById(id)?.remove();
  }
  const fault = fresh.getElementById("verdict") ?? fresh.getElementById("problem");
  // What was typed to be said with the turn goes along, and what was erased stays so.
  const typed = here().querySelector("#handing [name=said]");
  if (typed) {
    for (const line of step.querySelectorAll("[name=said]")) line.value = typed.value;
    if (typed.value) step.querySelector("#line")?.closest("details").setAttribute("open", "");
  }
  here().replaceWith(document.adoptNode(step));
  others(fresh);
  if (fault && !fault.closest(`#${STEP}`)) document.getElementById("notes").append(document.adoptNode(fault));
  if (push) history.pushState(null, "", address);
  arrange();
  settle(keep);
  return true;
}

// The boards of the others go by the same position; the one that was large stays so.
function others(fresh) {
  const [old, now] = [document, fresh].map((page) => page.getElementById("boards"));
  if (!old || !now) return;
  const large = old.querySelector(":checked")?.id;
  old.replaceWith(document.adoptNode(now));
  const tab = large && document.getElementById(large);
  if (tab) tab.checked = true;
}

// Play what is shown, once, and not into the void. A browser that believes itself offline may be wrong
// (a server on the same machine), and what failed a while ago may work now: then it is tried first.
function play(event) {
  const button = event.submitter;
  if (sent) {
    // A press that follows hard upon another is the same one. A later one, of who stopped the first, counts:
    // the server plays a turn once however often it comes.
    if (Date.now() - sent < TWICE) event.preventDefault();
    else sent = Date.now();
  } else if (here().hasAttribute("aria-busy")) {
    event.preventDefault();
    trouble("waiting");
  } else if (button && !sure && (failed || !navigator.onLine)) {
    event.preventDefault();
    attempt(button);
  } else {
    sent = Date.now();
    busy();
  }
}

async function attempt(button) {
  const turn = ++asked;
  busy();
  const found = await ask(location.href, "HEAD").catch(() => null);
  if (turn !== asked) return;
  rest();
  trouble(found ? "" : "offline");
  if (!found) return;
  sure = true;
  button.click();
  sure = false;
}

// Nothing moves as long as the next thing to touch can be seen: above the bar at the foot. So high are places with their `names` below the ends of an arrow.
function reveal(names, ...targets) {
  const lit = targets.filter((target) => target?.closest(".sight svg")).map((spot) => spot.getBoundingClientRect());
  if (!lit.length) return;
  const bar = here().querySelector(".dock")?.getBoundingClientRect();
  const dock = bar?.height ? bar : undefined;
  // It may lie over the board, at its foot, or stand beside it.
  const below = !dock || dock.left < Math.max(...lit.map((box) => box.right));
  const from = below ? here().querySelector(".ask").offsetHeight : 60;
  const to = Math.min(innerHeight, below && dock ? dock.top : Infinity);
  const top = Math.min(...lit.map((box) => box.top));
  const low = Math.max(...lit.map((box) => box.bottom));
  const bottom = low + Math.max(0, Math.min(names, to - from - low + top));
  let by = top < from || bottom > to ? Math.min(top - from, (top + bottom - from - to) / 2) : 0;
  // What stands beside the board is not to leave the screen for it.
  if (!below && by > 0) by = Math.max(0, Math.min(by, bottom + 24 - to, dock.top - 12));
  scrollBy(0, by);
}

// A map is higher than a screen: what can be touched is to be seen, or what is decided about, or what was chosen, or the reader's own pieces, or else its head.
function lookAt() {
  // Plans to choose from are above the map, and read first.
  if (here().querySelector(".proposals")) return;
  const [lit, asked, made, mine, map] = ["a.spot:not(.faint, .chosen) .ring", ".asked", ".new", `.of${here().dataset.seat}`, ""].map(
    (mark) => [...here().querySelectorAll(`.board${mark === ".new" ? ":not(.live)" : ""} .map${mark && " "}${mark}`)],
  );
  const found = [lit, asked, made, mine, map].find((marks) => marks.length);
  // Of several maps below each other the first of them.
  reveal(found === made ? 96 : 0, ...found.filter((mark) => mark.closest("svg") === found[0].closest("svg")));
}

// Where the reader goes on: what cannot be played, the same thing, a word to choose, the first thing that is lit, or the button.
function settle(keep) {
  const fresh = here();
  if (!quick) fresh.classList.add("fresh");
  const fault = document.querySelector("#verdict[tabindex]");
  const target =
    fault ||
    (keep && document.getElementById(keep)) ||
    fresh.querySelector(".proposals a, .choices a:not(.faint, [aria-current])") ||
    fresh.querySelector("a.spot:not(.faint, .chosen)") ||
    fresh.querySelector("button.main");
  target?.focus({ preventScroll: true });
  // The button that plays comes with the board that it leads to; a map stays where it is.
  const board = target?.matches("button.main") && !fresh.querySelector(".map") && fresh.querySelector(".sight svg:not([width='0'])");
  const seen = board?.getBoundingClientRect?.();
  if (seen && (seen.bottom < innerHeight * 0.4 || seen.top > innerHeight * 0.6)) board.scrollIntoView();
  fault?.scrollIntoView({ block: "center" });
  if (fresh.querySelector(".map") && !fault) lookAt();
  else reveal(0, target);
  const said = document.getElementById("said");
  if (said && !document.getElementById("why")) {
    const parts = [fresh.querySelector("#after"), fresh.querySelector("#hint"), fresh.querySelector(".sums, .total")];
    said.textContent = parts.map((part) => part?.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");
  }
}

// One thing of the board is in the tab order; arrows go to the nearest in their direction.
function arrange() {
  const spots = [...here().querySelectorAll("a.spot")];
  const first = spots.find((spot) => !spot.matches(".faint, .chosen")) ?? spots[0];
  for (const spot of spots) spot.setAttribute("tabindex", spot === first ? "0" : "-1");
}

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const middle = (node) => {
  const box = (node.querySelector(".ring") ?? node).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

function walk(from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const spot of here().querySelectorAll("a.spot")) {
    const [left, top] = middle(spot);
    const along = (left - x) * dx + (top - y) * dy;
    const aside = Math.abs((left - x) * dy) + Math.abs((top - y) * dx);
    const far = along + 2.5 * aside;
    if (along > 2 && far < least) [best, least] = [spot, far];
  }
  if (!best) return;
  from.setAttribute("tabindex", "-1");
  best.setAttribute("tabindex", "0");
  best.focus({ preventScroll: false });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!link.closest(`#${STEP}`) && link.closest("#verdict") === null) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (!sameTurn(address)) return;
  event.preventDefault();
  if (link.matches(".first")) return document.getElementById("primer").scrollIntoView();
  // To be told why something cannot be touched is no step to come back to.
  if (link.matches(".barred")) show(address, document.activeElement?.id, false);
  else show(address);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const method = (button?.getAttribute("formmethod") || form.method || "get").toLowerCase();
  // A browser that does not tell which button was pressed goes on by itself.
  if (!form.closest(`#${STEP}`) || !("submitter" in event)) return;
  if (button?.matches("[formaction*='/play/']")) return play(event);
  event.preventDefault();
  const address = new URL(form.getAttribute("action"), location.href);
  const fields = new URLSearchParams(new FormData(form));
  if (button?.name) fields.append(button.name, button.value);
  const keep = button?.dataset.keep ?? document.activeElement?.closest("li")?.querySelector("summary")?.id ?? document.activeElement?.id;
  if (method === "post") return show(address, keep, true, fields);
  address.search = fields.toString();
  show(address, keep);
});

// A step changed in its list shows at once what follows from it.
document.addEventListener("change", (event) => {
  const list = event.target;
  if (list.matches?.(`#${STEP} select[name=a]`)) list.form.requestSubmit();
});

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  // Escape stops what is on its way to be played, and does nothing else then.
  if (event.key === "Escape" && sent) return rest();
  const at = event.target;
  if (at.matches("a.spot") && WAYS[event.key]) {
    event.preventDefault();
    walk(at, WAYS[event.key]);
    return;
  }
  if (at.matches("input, textarea, select")) return;
  const keys = document.getElementById("keys");
  if (event.key === "?" && keys) {
    keys.open = !keys.open;
    if (keys.open) keys.querySelector("summary").focus();
    return;
  }
  const link = here()?.querySelector(`a[data-key="${event.key}"]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});

addEventListener("popstate", () => here() && show(new URL(location.href), null, false));
addEventListener("online", () => here() && trouble(""));
// Back from what followed: nothing is on its way any more.
addEventListener("pageshow", (event) => event.persisted && here() && rest());
if (here()) {
  arrange();
  if (here().querySelector(".map") && !document.querySelector("#verdict, .fought, .write:not(:has(.proposals))")) {
    const from = scrollY;
    lookAt();
    // The page's own type comes later, and moves what was in sight.
    const to = scrollY;
    document.fonts.ready.then(() => {
      if (scrollY !== to) return;
      scrollTo(0, from);
      lookAt();
    });
  } else if (location.search) reveal(0, here().querySelector("a.spot:not(.faint, .chosen)"));
}
