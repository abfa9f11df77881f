// Elements of pages, made with what is in them, so that no text is ever read as HTML.

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A part of a drawing.
export function shape(name, values = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function button(label, action, properties = {}) {
  return element("button", { type: "button", onclick: action, ...properties }, label);
}

export function chip(seat) {
  return element("span", { class: `chip seat${seat}` }, String(seat));
}
