export function spendMillisecond() {
  const until = performance.now() + 1
  while (performance.now() < until);
}
