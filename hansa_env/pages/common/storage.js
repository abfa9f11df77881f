// What a browser keeps of a page. A page from a file, in a frame, or in a browser that blocks it, may have no storage.

export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // then it is so for this time
  }
}
