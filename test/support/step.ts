export function step() {
  const until = performance.now() + 1
  while (performance.now() < until);
}
