// The turn page without waiting for whole pages. Everything here is a link or a form already and works
// without this script: it fetches what they lead to, puts the new step in the old one's place, keeps the
// focus, and lets arrow keys walk over the board.

const STEP = "plan";
const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
let asked = 0;

const here = () => document.getElementById(STEP);
const sameTurn = (address) => address.origin === location.origin && address.pathname === location.pathname;

async function show(address, keep, push = true) {
  const turn = ++asked;
  here().setAttribute("aria-busy", "true");
  let text;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin" });
    if (!answer.ok || !sameTurn(new URL(answer.url))) throw new Error(String(answer.status));
    text = await answer.text();
  } catch {
    location.assign(address);
    return;
  }
  if (turn !== asked) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById(STEP);
  if (!fresh || !here()) return location.assign(address);
  for (const id of ["verdict", "problem"]) {
    document.getElementById(id)?.remove();
  }
  const fault = page.getElementById("verdict") ?? page.getElementById("problem");
  here().replaceWith(document.adoptNode(fresh));
  if (fault) fresh.before(document.adoptNode(fault));
  if (push) history.pushState(null, "", address);
  arrange();
  settle(keep);
}

// Where the reader goes on: the same thing, the first one that can be touched, or the button.
function settle(keep) {
  const fresh = here();
  if (!quick) fresh.classList.add("fresh");
  const target =
    (keep && document.getElementById(keep)) ||
    fresh.querySelector("a.spot:not(.faint)") ||
    fresh.querySelector(".choices a") ||
    fresh.querySelector("button.main");
  target?.focus({ preventScroll: true });
  const said = document.getElementById("said");
  if (said) {
    const parts = [fresh.querySelector("#after"), fresh.querySelector("#hint"), fresh.querySelector(".total")];
    said.textContent = parts.map((part) => part?.textContent.trim()).filter(Boolean).join(" ");
  }
}

// One thing of the board is in the tab order; arrows go to the nearest in their direction.
function arrange() {
  const spots = [...here().querySelectorAll("a.spot")];
  spots.forEach((spot, at) => spot.setAttribute("tabindex", at ? "-1" : "0"));
  const lit = spots.find((spot) => !spot.classList.contains("faint"));
  if (lit && spots[0]) {
    spots[0].setAttribute("tabindex", "-1");
    lit.setAttribute("tabindex", "0");
  }
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
  show(address);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const method = (button?.getAttribute("formmethod") || form.method || "get").toLowerCase();
  if (method !== "get" || !form.closest(`#${STEP}`)) return;
  event.preventDefault();
  const address = new URL(form.getAttribute("action"), location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  show(address, document.activeElement?.id);
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
if (here()) arrange();
