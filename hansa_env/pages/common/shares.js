// Shares in words, for the page of `hansa view`, which contains this, and for the table's.

// What is little is not nothing, and nearly all is not all.
export function percent(share) {
  if (share === null || share === undefined) return "–";
  if (share > 0 && share < 0.005) return "<1 %";
  return share < 1 && share >= 0.995 ? ">99 %" : `${Math.round(100 * share)} %`;
}

// Shares of a whole in whole percent, which still sum to 100: what lost most by rounding down gets what is left.
export function wholePercents(shares) {
  const whole = shares.map((share) => Math.floor(100 * share + 1e-6));
  const order = shares.map((_, n) => n).sort((a, b) => 100 * shares[b] - whole[b] - (100 * shares[a] - whole[a]) || a - b);
  for (const n of order.slice(0, 100 - whole.reduce((sum, one) => sum + one, 0))) whole[n] += 1;
  return whole.map((one) => `${one} %`);
}
