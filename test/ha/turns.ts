const DAY = 86_400_000

/** Which of so many is the first of those that are done on a day: the next day goes on where that one ends. */
export const dueOn = (day: Date, aDay: number, count: number): number =>
  (Math.floor(day.getTime() / DAY) * aDay) % count
