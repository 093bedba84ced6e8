/** What stopped a check. */
export type BreachKind = 'assertion' | 'preparation' | 'connection' | 'timeout' | 'malformed';

/**
 * The target did not do what a rule needed of it. `preparation` is a step on the way that had to succeed, such as
 * creating the object a rule is about; it says nothing about the rule itself. `malformed` is an answer whose shape the
 * check could not even read.
 */
export class Breach extends Error {
  readonly kind: BreachKind;

  constructor(kind: BreachKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Breach';
    this.kind = kind;
  }
}

/** Thrown to say that the target lacks what the rule is about. */
export class Skipped extends Error {}
