// Stepping through a match without loading whole pages: the links and the form work without this script.

const moment = () => document.getElementById("moment");
const reel = document.getElementById("reel");
const slider = document.getElementById("n");
const play = document.getElementById("play");
document.documentElement.classList.add("scripted");
const kept = new Map();
let wanted = -1;
let timer = 0;

let board = new URLSearchParams(location.search).get("board");
const addressOf = (n) => `${location.pathname}?n=${n}${board === null ? "" : `&board=${board}`}`;
const at = () => Number(moment().dataset.n);
const last = Number(moment().dataset.last);

async function fetched(n) {
  const address = addressOf(n);
  if (!kept.has(address)) {
    const answer = fetch(address, { credentials: "same-origin" }).then(async (got) => {
      if (!got.ok) throw new Error(String(got.status));
      return new DOMParser().parseFromString(await got.text(), "text/html").getElementById("moment");
    });
    kept.set(address, answer);
    answer.catch(() => kept.delete(address));
    if (kept.size > 80) kept.delete(kept.keys().next().value);
  }
  return kept.get(address);
}

async function show(n) {
  n = Math.min(last, Math.max(0, n));
  wanted = n;
  const large = board;
  slider.value = n;
  let fresh;
  try {
    fresh = await fetched(n);
  } catch {
    location.assign(addressOf(n));
    return;
  }
  if (wanted !== n || large !== board || !fresh) return;
  const inside = document.importNode(fresh, true);
  // The region that is read aloud stays the same one: only then is its change noticed.
  const live = moment().querySelector("[aria-live]");
  moment().querySelector("figure").replaceWith(inside.querySelector("figure"));
  for (const part of [".whose", ".caption", ".deed", ".pager"]) moment().querySelector(part)?.replaceWith(inside.querySelector(part));
  fit();
  reveal();
  moment().querySelector(".scores").replaceWith(inside.querySelector(".scores"));
  live.replaceChildren(...inside.querySelector("[aria-live]").childNodes);
  moment().dataset.n = n;
  history.replaceState(null, "", addressOf(n));
  for (const near of [n + 1, n - 1]) if (near >= 0 && near <= last) fetched(near).catch(() => {});
}

// Whether the bar has room for all that is told; the same is not told below it then.
function fit() {
  const deed = moment().querySelector(".deed");
  deed.classList.toggle("fits", deed.clientHeight > 0 && deed.scrollHeight <= deed.clientHeight + 1 && deed.textContent.trim() !== "");
}

// What has changed comes to where it is seen, on a map that is higher than the screen; at first those who move there.
function reveal(marks = "figure .map .new") {
  const changed = [...moment().querySelectorAll(marks)].map((mark) => mark.getBoundingClientRect());
  if (!changed.length) return;
  const bar = moment().querySelector(".controls").getBoundingClientRect();
  const below = bar.width > innerWidth * 0.9;
  const to = below ? Math.min(innerHeight, bar.top) : innerHeight;
  const top = Math.min(...changed.map((box) => box.top));
  const bottom = Math.max(...changed.map((box) => box.bottom));
  const map = moment().querySelector("figure .map").getBoundingClientRect();
  const whole = map.top >= 0 && map.bottom <= to;
  if (whole || (top >= 0 && bottom <= to)) return;
  // What is pressed beside the map stays on the screen.
  scrollBy(0, below ? (top + bottom - to) / 2 : Math.min(bottom + 12 - to, bar.top - 12));
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = play.dataset.start;
}

play.dataset.start = play.textContent;
play.hidden = false;
reel.querySelector(".go").hidden = true;
play.addEventListener("click", () => {
  if (timer) return stop();
  if (at() === last) show(0);
  play.textContent = play.dataset.stop;
  timer = setInterval(() => (wanted >= last && at() === last ? stop() : show(at() + 1)), 1200);
});
slider.addEventListener("input", () => show(Number(slider.value)));
reel.addEventListener("submit", (event) => {
  event.preventDefault();
  show(Number(slider.value));
});
document.addEventListener("click", (event) => {
  const whose = event.target.closest?.(".whose a");
  if (whose && !(event.metaKey || event.ctrlKey || event.shiftKey)) {
    event.preventDefault();
    board = new URL(whose.href).searchParams.get("board");
    show(at()).then(() => moment().querySelector(".whose [aria-current]").focus({ preventScroll: true }));
    return;
  }
  const link = event.target.closest?.("a[data-to]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const way = link.dataset.step;
  show(Number(link.dataset.to)).then(() => {
    const same = moment().querySelector(`a[data-step="${way}"]`);
    (same || slider).focus({ preventScroll: true });
  });
});
document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.target === slider) return;
  if (event.key === "?") return void (document.getElementById("keys").open = !document.getElementById("keys").open);
  const to = { ArrowLeft: at() - 1, ArrowRight: at() + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(to);
});
fit();
document.fonts?.ready.then(fit);
addEventListener("resize", fit);
reveal(moment().querySelector("figure .map .new") ? undefined : "figure .map:not(:last-of-type) [class^=of]");
