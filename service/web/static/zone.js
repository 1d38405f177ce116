// By which clock this browser goes: noted when somebody new signs in, offered where another one is set.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;

const offer = document.getElementById("zone-offer");
const choice = document.getElementById("zone");
if (offer && choice && choice.value !== zone && choice.querySelector(`option[value="${zone}"]`)) {
  offer.hidden = false;
  const button = offer.querySelector("button");
  button.textContent = button.textContent.replace("{}", zone.replaceAll("_", " "));
  button.addEventListener("click", () => {
    choice.value = zone;
    offer.hidden = true;
    choice.focus();
  });
}
