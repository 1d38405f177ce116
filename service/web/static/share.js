// A button that copies a link. Without this script the link can be marked and copied by hand.

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // A server without TLS has no clipboard API.
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("not copied");
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await copy(button.dataset.copy);
      button.textContent = button.dataset.done;
    } catch {
      button.hidden = true;
    }
  });
}
