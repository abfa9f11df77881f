// Where things are drawn, for all that is put upon a drawing: pieces that fly, arrows, discs.

// The elements that a trail begins and ends at, null where one is not drawn. `trail`: {source, target} as the server has it.
export function endsOf(board, { source, target }) {
  return [source, target].map((thing) => partOf(board, thing));
}

// The element that stands for a thing, null where it is not drawn: of a route the post in its middle, as its box is not where it is.
export function partOf(board, thing) {
  const [kind, route] = thing.split(" ");
  const posts = kind === "route" ? board.all(`[data-thing^="${CSS.escape(`post ${route} `)}"]`) : [];
  return posts[Math.floor(posts.length / 2)] ?? board.elements([thing])[0] ?? null;
}

// The middle of a box of the screen, and how large it is.
export function middle(box) {
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width, height: box.height };
}

// The middle of an element in the units of its drawing, and how large it is there.
export function middleIn(svg, part) {
  const { x, y, width, height } = middle(part.getBoundingClientRect()), scale = scaleOf(svg);
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
  return { x: at.x, y: at.y, width: width / scale, height: height / scale };
}

// Pixels that a unit of a drawing has.
export function scaleOf(svg) {
  return svg.getScreenCTM().a;
}
