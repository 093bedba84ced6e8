// A list of rows of which only those in sight are made, so that thousands cost no more than some dozens.

const height = 28;
const beyond = 6;

export class Grid {
  #holder;
  #inner;
  #columns;
  #rows = [];
  #chosen = -1;
  #chosenId;
  #choose;
  #waiting = false;

  /** @param columns title, of (row → text), and the classes of its cells @param choose called with the row that is opened */
  constructor(holder, label, columns, choose = () => {}) {
    this.#holder = holder;
    this.#columns = columns;
    this.#choose = choose;
    holder.tabIndex = 0;
    holder.setAttribute('role', 'grid');
    holder.setAttribute('aria-label', label);
    holder.append(
      this.#row(
        columns.map(({ title }) => title),
        'head',
      ),
    );
    this.#inner = document.createElement('div');
    this.#inner.className = 'inner';
    holder.append(this.#inner);
    holder.addEventListener('scroll', () => this.#soon());
    holder.addEventListener('keydown', (event) => this.#key(event));
    holder.addEventListener('click', (event) => this.#click(event));
    new ResizeObserver(() => this.#soon()).observe(holder);
  }

  /** Shows these rows; each has an id, by which the chosen one stays chosen. */
  show(rows) {
    this.#rows = rows;
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
    this.#holder.setAttribute('aria-rowcount', String(this.#rows.length));
    const drawn = [];
    for (let index = first; index < last; index++) drawn.push(this.#rowAt(index));
    this.#inner.replaceChildren(...drawn);
  }

  #rowAt(index) {
    const row = this.#rows[index];
    const made = this.#row(
      this.#columns.map(({ of }) => of(row)),
      index === this.#chosen ? 'chosen' : '',
      row,
    );
    made.style.top = `${index * height}px`;
    made.dataset.index = String(index);
    made.setAttribute('aria-selected', String(index === this.#chosen));
    return made;
  }

  #row(texts, extra, row) {
    const made = document.createElement('div');
    made.className = `row ${extra}`;
    made.setAttribute('role', 'row');
    for (const [index, text] of texts.entries()) {
      const cell = document.createElement('span');
      const { classes = '', width, tone } = this.#columns[index];
      cell.className = `${classes} ${(row && tone?.(row)) ?? ''}`;
      if (width) cell.style.width = width;
      cell.setAttribute('role', row ? 'gridcell' : 'columnheader');
      cell.textContent = text;
      cell.title = row ? text : '';
      made.append(cell);
    }
    return made;
  }

  #click({ target }) {
    const { index } = target.closest?.('.row')?.dataset ?? {};
    if (index !== undefined) this.#take(Number(index), true);
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.#holder.clientHeight / height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 };
    if (Object.hasOwn(steps, event.key)) this.#take(this.#chosen + steps[event.key], false);
    else if (event.key === 'Enter' && this.#chosen >= 0) this.#choose(this.#rows[this.#chosen]);
    else return;
    event.preventDefault();
  }

  #take(wanted, open) {
    if (this.#rows.length === 0) return;
    this.#chosen = Math.min(this.#rows.length - 1, Math.max(0, wanted));
    const row = this.#rows[this.#chosen];
    this.#chosenId = row.id;
    const top = this.#chosen * height;
    const { scrollTop, clientHeight } = this.#holder;
    if (top < scrollTop) this.#holder.scrollTop = top;
    else if (top + 2 * height > scrollTop + clientHeight) this.#holder.scrollTop = top + 2 * height - clientHeight;
    if (open) this.#choose(row);
    this.#soon();
  }
}
