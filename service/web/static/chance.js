// What a player adds to the chance of a game, drawn in their browser: 32 bytes that who runs the server has not chosen.
// Without this script the field holds what the server drew, and says so.

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
for (const field of document.querySelectorAll("input[data-drawn]")) {
  field.value = hex(crypto.getRandomValues(new Uint8Array(32)));
  document.getElementById(field.getAttribute("aria-describedby")).textContent = field.dataset.drawn;
}
