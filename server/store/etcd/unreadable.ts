import { EncryptedError, UnreadableError } from '../store.ts';
import type { ReadState } from './reading.ts';

/** That a key holds a value which cannot be read, from a revision on and up to another one. */
interface Span {
  readonly error: UnreadableError;
  readonly from: number;
  to: number;
}

/** What is there and cannot be read: it is not told of, neither as something new nor as gone. */
export class Unreadable {
  /** By key: each change of any key asks, and there may be very many. */
  readonly #spans = new Map<string, readonly Span[]>();
  #compacted = 0;

  /** @param error other ones are of no interest @param compacted what was over by then is forgotten */
  note(error: unknown, from: number, compacted: number): void {
    if (!(error instanceof UnreadableError)) return;
    if (compacted > this.#compacted) this.#forget(compacted);
    this.#compacted = compacted;
    this.#spans.set(error.key, [...this.#of(error.key), { error, from, to: Number.POSITIVE_INFINITY }]);
  }

  #of(key: string): readonly Span[] {
    return this.#spans.get(key) ?? [];
  }

  #forget(compacted: number): void {
    for (const [key, spans] of this.#spans) {
      const left = spans.filter(({ to }) => to > compacted);
      if (left.length > 0) this.#spans.set(key, left);
      else this.#spans.delete(key);
    }
  }

  /** At this revision the key got another value, or went. */
  end(key: string, revision: number): void {
    for (const span of this.#of(key)) span.to = Math.min(span.to, revision);
  }

  /** Whether that is so of the key now. */
  has(key: string): boolean {
    return this.#of(key).some(({ to }) => to === Number.POSITIVE_INFINITY);
  }

  /** @throws UnreadableError when one of these keys cannot be read as it was at the revision */
  demandNone(isAsked: (key: string) => boolean, revision: number): void {
    for (const key of this.#spans.keys()) if (isAsked(key)) this.demandReadable(key, revision);
  }

  /** @throws UnreadableError when the key cannot be read as it was at the revision */
  demandReadable(key: string, revision: number): void {
    const span = this.#of(key).find(({ from, to }) => from <= revision && revision < to);
    if (span) throw span.error;
  }
}

/**
 * An etcd with values that are encrypted at rest belongs to servers that have a key to them: one that has none would
 * answer for every Secret that it is broken, and is better not begun. @throws EncryptedError
 */
export function demandPlain({ errors }: ReadState): void {
  const encrypted = errors.find((error) => error instanceof EncryptedError);
  if (encrypted) throw encrypted;
}

/** Values that are named one by one: of very many their number says enough. */
const mostNamed = 20;

/** What could not be read when all was, and makes it known. */
export function unreadableOf({ errors }: ReadState, report: (error: unknown) => void): Unreadable {
  const unreadable = new Unreadable();
  for (const error of errors) unreadable.note(error, 0, 0);
  for (const error of errors.slice(0, mostNamed)) report(error);
  if (errors.length > mostNamed) report(new Error(`${errors.length - mostNamed} more values cannot be read`));
  return unreadable;
}
