// A list of rows of which only those in sight are made, so that thousands cost no more than some dozens.

import { element } from './dom.js';

const height = 28;
const beyond = 6;

export class Grid {
  #holder;
  #inner = element('div', 'inner');
  #nothing = element('span', 'hint');
  #columns;
  #rows = [];
  /** What is drawn, by the ids of rows: who reads a row goes on reading it. */
  #drawn = new Map();
  #made = 0;
  #chosen = -1;
  #chosenId;
  #choose;
  #waiting = false;

  /**
   * @param columns title, of (row → text), and the classes of its cells
   * @param choose called with the row that is opened, and whether by a key
   */
  constructor(holder, label, columns, choose) {
    this.#holder = holder;
    this.#columns = columns;
    this.#choose = choose;
    holder.tabIndex = 0;
    holder.setAttribute('role', 'grid');
    holder.setAttribute('aria-label', label);
    this.#inner.setAttribute('role', 'rowgroup');
    const head = this.#row('columnheader', 'head');
    head.ariaRowIndex = '1';
    for (const [index, { title }] of columns.entries()) head.children[index].textContent = title;
    holder.append(head, this.#inner, this.#emptyRow());
    holder.addEventListener('scroll', () => this.#soon());
    holder.addEventListener('keydown', (event) => this.#key(event));
    holder.addEventListener('click', (event) => this.#click(event));
    new ResizeObserver(() => this.#soon()).observe(holder);
  }

  /** Shows these rows, or what is said where there are none. Each has an id, by which the chosen one stays chosen. */
  show(rows, nothing) {
    this.#rows = rows;
    this.#nothing.textContent = nothing;
    this.#nothing.parentElement.hidden = rows.length > 0;
    this.#chosen = this.#chosenId === undefined ? -1 : rows.findIndex(({ id }) => id === this.#chosenId);
    this.#soon();
  }

  #soon() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      this.#draw();
    });
  }

  #draw() {
    const { scrollTop, clientHeight } = this.#holder;
    const first = Math.max(0, Math.floor(scrollTop / height) - beyond);
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / height) + beyond);
    this.#inner.style.height = `${this.#rows.length * height}px`;
    this.#holder.ariaRowCount = String(this.#rows.length + 1);
    const before = this.#drawn;
    this.#drawn = new Map();
    for (let index = first; index < last; index++) {
      const { id } = this.#rows[index];
      const made = before.get(id) ?? this.#row('gridcell');
      this.#drawn.set(id, made);
      this.#fill(made, index);
      const { [index - first]: here = null } = this.#inner.children;
      if (here !== made) this.#inner.insertBefore(made, here);
    }
    while (this.#inner.children.length > this.#drawn.size) this.#inner.lastChild.remove();
    this.#holder.setAttribute('aria-activedescendant', this.#drawn.get(this.#chosenId)?.id ?? '');
  }

  #fill(made, index) {
    const row = this.#rows[index];
    for (const [at, { of, classes = '', tone }] of this.#columns.entries()) {
      const cell = made.children[at];
      const text = of(row);
      if (cell.textContent !== text) cell.textContent = cell.title = text;
      cell.className = `${classes} ${tone?.(row) ?? ''}`;
    }
    made.style.top = `${index * height}px`;
    made.dataset.index = String(index);
    made.ariaRowIndex = String(index + 2);
    made.ariaSelected = String(index === this.#chosen);
  }

  #row(role, classes = '') {
    const made = element('div', `row ${classes}`);
    this.#made += 1;
    made.id = `${this.#holder.id}-${this.#made}`;
    made.setAttribute('role', 'row');
    for (const { width, classes: own = '' } of this.#columns) {
      const cell = element('span', own);
      if (width) cell.style.width = width;
      cell.setAttribute('role', role);
      made.append(cell);
    }
    return made;
  }

  /** What is to be read where there is nothing to see. */
  #emptyRow() {
    const row = element('div', 'row empty');
    row.setAttribute('role', 'row');
    this.#nothing.setAttribute('role', 'gridcell');
    row.append(this.#nothing);
    return row;
  }

  #click({ target }) {
    const { index } = target.closest?.('.row')?.dataset ?? {};
    if (index === undefined) return;
    this.#take(Number(index));
    this.#choose(this.#rows[this.#chosen], false);
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.#holder.clientHeight / height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 };
    if (Object.hasOwn(steps, event.key)) this.#take(this.#chosen + steps[event.key]);
    else if (event.key === 'Enter' && this.#chosen >= 0) this.#choose(this.#rows[this.#chosen], true);
    else return;
    event.preventDefault();
  }

  #take(wanted) {
    if (this.#rows.length === 0) return;
    this.#chosen = Math.min(this.#rows.length - 1, Math.max(0, wanted));
    this.#chosenId = this.#rows[this.#chosen].id;
    const top = this.#chosen * height;
    const { scrollTop, clientHeight } = this.#holder;
    if (top < scrollTop) this.#holder.scrollTop = top;
    else if (top + 2 * height > scrollTop + clientHeight) this.#holder.scrollTop = top + 2 * height - clientHeight;
    this.#soon();
  }
}
