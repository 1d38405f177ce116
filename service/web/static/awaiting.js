// A bot is to move: the page looks a few times whether it has. Without this script its link does.

const MOST = 8;
const PAUSE = 2500;
const key = `looked ${location.pathname}`;
const looked = Number(sessionStorage.getItem(key));
const again = document.getElementById("awaiting");
if (again && looked < MOST) {
  again.hidden = true;
  document.getElementById("by-itself")?.removeAttribute("hidden");
  setTimeout(() => {
    sessionStorage.setItem(key, String(looked + 1));
    location.reload();
  }, PAUSE);
}
