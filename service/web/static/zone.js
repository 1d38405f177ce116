// By which clock this browser goes: noted when somebody new signs in, offered where another one is set.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;

const offer = document.getElementById("zone-offer");
const choice = document.getElementById("zone");
// Browsers go on telling names that have been changed: "Asia/Calcutta".
const zones = [...(choice?.options ?? [])];
const known = (
  zones.find((option) => option.value === zone) ??
  zones.find((option) => option.dataset.before?.split(" ").includes(zone))
)?.value;
if (offer && known && choice.value !== known) {
  offer.hidden = false;
  const button = offer.querySelector("button");
  button.textContent = button.textContent.replace("{}", known.replaceAll("_", " "));
  button.addEventListener("click", () => {
    choice.value = known;
    offer.hidden = true;
    choice.focus();
  });
}
