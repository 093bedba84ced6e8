import type { Json } from '../base/kube-object.ts';

/** Elements of one part, at most. */
const longest = 1024;

/** A list in parts, so that an element is put in or taken out without moving all that come behind it. */
export class LongList {
  readonly #parts: Json[][] = [];
  length: number;

  constructor(list: readonly Json[]) {
    this.length = list.length;
    for (let start = 0; start < list.length; start += longest) this.#parts.push(list.slice(start, start + longest));
  }

  get(position: number): Json | undefined {
    const { part, at } = this.#find(position);
    return part[at];
  }

  set(position: number, value: Json): void {
    const { part, at } = this.#find(position);
    part[at] = value;
  }

  /** @param position up to the length of the list, which adds to its end */
  insert(position: number, value: Json): void {
    const { part, at, number } = this.#find(position);
    part.splice(at, 0, value);
    this.length++;
    if (part.length > longest) this.#parts.splice(number + 1, 0, part.splice(longest / 2));
  }

  remove(position: number): void {
    const { part, at, number } = this.#find(position);
    part.splice(at, 1);
    this.length--;
    if (part.length === 0) this.#parts.splice(number, 1);
  }

  /** Makes the plain list the same as this one. */
  writeTo(list: Json[]): void {
    list.length = 0;
    for (const part of this.#parts) for (const each of part) list.push(each);
  }

  #find(position: number) {
    let at = position;
    let number = 0;
    for (
      let part = this.#parts[0];
      part && at >= part.length && number < this.#parts.length - 1;
      part = this.#parts[number]
    ) {
      at -= part.length;
      number++;
    }
    this.#parts[number] ??= [];
    return { part: this.#parts[number] as Json[], at, number };
  }
}
