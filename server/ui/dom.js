// What every part of the page needs: its elements, and times as people read them.

export const $ = (id) => document.getElementById(id);

/** A new element. */
export function element(name, className, text = '') {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false };
const calendar = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false };

/** The time of day; of other days the date, too. @param milliseconds since the epoch */
export function when(milliseconds) {
  const then = new Date(milliseconds);
  const isToday = then.toDateString() === new Date().toDateString();
  return then.toLocaleString([], isToday ? clock : calendar);
}
