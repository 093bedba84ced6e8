/** What runs on and is to be closed at the end; what opens only then is closed at once, as nobody else would. */
export interface Closers {
  readonly add: (close: () => void) => void;
  readonly close: () => void;
}

export function makeClosers(): Closers {
  const steps: (() => void)[] = [];
  let over = false;
  return {
    add(close) {
      if (over) close();
      else steps.push(close);
    },
    close() {
      over = true;
      for (const step of steps.splice(0)) step();
    },
  };
}
