// Counts down on a button how long a turn can be taken back, and then shows what became of it. The page says the time without it, too.
// A turn that is late is looked for again ever more seldom, and after a minute and a half no more.

const SOONEST = 1500;
const MOST = 6;

for (const button of document.querySelectorAll("button[data-left]")) {
  const label = button.textContent;
  const end = performance.now() + Number(button.dataset.left) * 1000;
  const two = (n) => String(n).padStart(2, "0");
  const said = (s) => (s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${two(s % 60)} s` : `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min`);
  const count = document.createElement("span");
  // A reader of the screen hears the label, not each second.
  count.setAttribute("aria-hidden", "true");
  count.className = "number";
  button.replaceChildren(`${label} `, count);
  // Kept with this entry of the browser's history, so that loading again does not begin anew.
  const looked = Number(button.dataset.left) > 0 ? 0 : (history.state?.looked ?? 0);
  const look = () => {
    history.replaceState({ ...history.state, looked: looked + 1 }, "");
    location.reload();
  };
  const tick = () => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    count.textContent = left ? `(${said(left)})` : "";
    if (left === 0) {
      clearInterval(timer);
      if (looked < MOST) setTimeout(look, SOONEST * 2 ** looked);
    }
  };
  const timer = setInterval(tick, 1000);
  tick();
}
