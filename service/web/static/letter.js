// A letter's frame is as tall as the letter: one bar to scroll, that of the page.

const frame = document.querySelector("iframe.letter");
const fit = () => {
  const shown = frame.contentDocument?.body;
  if (!shown) return;
  frame.style.height = "0";
  frame.style.height = `${frame.contentDocument.documentElement.scrollHeight + 4}px`;
};
if (frame) {
  frame.addEventListener("load", fit);
  addEventListener("resize", fit);
  if (frame.contentDocument?.readyState === "complete") fit();
}
