// Tells that somebody looks at this page: they touch it, or keep it in view. What only opens pages (scanners of
// mail, previews of links, a browser that loads ahead) does neither. Without scripts a stylesheet tells instead.

const address = document.querySelector("meta[name=seen]").content;
const SIGNS = ["pointerdown", "wheel", "touchstart", "keydown"];
const IN_VIEW = 20000; // some read without touching anything: by a screen reader, on a phone
const listening = new AbortController();
let timer = 0;
let telling = false;
let resting = null; // where the pointer was first heard of

async function tell() {
  if (telling) return;
  telling = true;
  clearTimeout(timer);
  try {
    const answer = await fetch(address, { method: "POST", keepalive: true });
    if (answer.ok) {
      listening.abort();
      return;
    }
  } catch {
    // The network fails: once more later.
  }
  setTimeout(() => {
    telling = false;
    wait();
  }, IN_VIEW);
}

function wait() {
  clearTimeout(timer);
  if (!telling && document.visibilityState === "visible") timer = setTimeout(tell, IN_VIEW);
}

// Browsers report a pointer that rests where a page appears, those without a window one at 0, 0: nobody moved it.
function move(event) {
  const place = `${event.screenX} ${event.screenY}`;
  resting ??= place;
  if (place !== resting) tell();
}

addEventListener("pointermove", move, { passive: true, signal: listening.signal });
for (const sign of SIGNS) addEventListener(sign, tell, { passive: true, signal: listening.signal });
document.addEventListener("visibilitychange", wait, { signal: listening.signal });
wait();
