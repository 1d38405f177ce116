// The turn page without waiting for whole pages. Everything here is a link or a form already and works
// without this script: it fetches what they lead to, puts the new step in the old one's place, keeps the
// focus, lets arrow keys walk over the board, and says when the server cannot be reached.

const STEP = "plan";
const PATIENCE = 15000;
const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
let asked = 0;

const here = () => document.getElementById(STEP);
const sameTurn = (address) => address.origin === location.origin && address.pathname === location.pathname;
document.documentElement.classList.add("scripted");

// What went wrong, below the board; a page without a place for it goes where the link leads.
function trouble(kind) {
  const place = document.getElementById("trouble");
  here().removeAttribute("aria-busy");
  if (!place) return false;
  place.hidden = !kind;
  place.textContent = kind ? here().dataset[kind] : "";
  return true;
}

async function show(address, keep, push = true) {
  const turn = ++asked;
  here().setAttribute("aria-busy", "true");
  let answer, text;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    text = await answer.text();
  } catch {
    if (turn === asked && !trouble("offline")) location.assign(address);
    return;
  }
  if (turn !== asked) return;
  if (answer.status >= 500 && trouble("failed")) return;
  const fresh = answer.ok && sameTurn(new URL(answer.url)) && new DOMParser().parseFromString(text, "text/html");
  const step = fresh && fresh.getElementById(STEP);
  // Played meanwhile, or signed out: a whole page tells.
  if (!step) return location.assign(address);
  for (const id of ["verdict", "problem"]) {
    document.getElementById(id)?.remove();
  }
  const fault = fresh.getElementById("verdict") ?? fresh.getElementById("problem");
  here().replaceWith(document.adoptNode(step));
  if (fault) step.before(document.adoptNode(fault));
  if (push) history.pushState(null, "", address);
  arrange();
  settle(keep);
}

// Where the reader goes on: what cannot be played, the same thing, a word to choose, the first thing that is lit, or the button.
function settle(keep) {
  const fresh = here();
  if (!quick) fresh.classList.add("fresh");
  const fault = document.querySelector("#verdict[tabindex]");
  const target =
    fault ||
    (keep && document.getElementById(keep)) ||
    fresh.querySelector(".choices a:not(.faint, [aria-current])") ||
    fresh.querySelector("a.spot:not(.faint, .chosen)") ||
    fresh.querySelector("button.main");
  target?.focus({ preventScroll: true });
  fault?.scrollIntoView({ block: "center" });
  // Nothing moves as long as the next thing to touch can be seen.
  const lit = target?.matches("a.spot") && target.getBoundingClientRect();
  const dock = fresh.querySelector(".dock")?.getBoundingClientRect();
  if (lit && (lit.top < 60 || lit.bottom > Math.min(innerHeight, dock?.width > innerWidth * 0.9 ? dock.top : Infinity))) {
    target.scrollIntoView({ block: "center" });
  }
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
  const box = node.getBoundingClientRect();
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
  // To be told why something cannot be touched is no step to come back to.
  if (link.matches(".barred")) show(address, document.activeElement?.id, false);
  else show(address);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const method = (button?.getAttribute("formmethod") || form.method || "get").toLowerCase();
  if (!form.closest(`#${STEP}`)) return;
  if (method === "post") {
    // What is shown is played, once: not while something else is on its way, nor into the void.
    if (here().hasAttribute("aria-busy")) event.preventDefault();
    else if (!navigator.onLine && trouble("offline")) event.preventDefault();
    else here().setAttribute("aria-busy", "true");
    return;
  }
  event.preventDefault();
  const address = new URL(form.getAttribute("action"), location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  show(address, document.activeElement?.closest("li")?.querySelector("summary")?.id ?? document.activeElement?.id);
});

// A step changed in its list shows at once what follows from it.
document.addEventListener("change", (event) => {
  const list = event.target;
  if (list.matches?.(`#${STEP} select[name=a]`)) list.form.requestSubmit();
});

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const at = event.target;
  if (at.matches("a.spot") && WAYS[event.key]) {
    event.preventDefault();
    walk(at, WAYS[event.key]);
    return;
  }
  if (at.matches("input, textarea, select")) return;
  const link = here()?.querySelector(`a[data-key="${event.key}"]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});

addEventListener("popstate", () => here() && show(new URL(location.href), null, false));
addEventListener("online", () => here() && trouble(""));
// Back from what followed: nothing is on its way any more.
addEventListener("pageshow", (event) => event.persisted && here()?.removeAttribute("aria-busy"));
if (here()) arrange();
