/**
 * Where a value stands inside an object, such as `spec.rules[0].host` or `data[key]`. Immutable; a child costs one
 * small allocation and the text is only made when an error needs it.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #segment: string;
  private constructor(parent: FieldPath | undefined, segment: string) {
    this.#parent = parent;
    this.#segment = segment;
  }
  static readonly root = new FieldPath(undefined, '');
  static of(...names: string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => path.child(name), FieldPath.root);
  }
  /** `.name` (without the dot at the root). */
  child(name: string): FieldPath {
    return new FieldPath(this, this.#parent ? `.${name}` : name);
  }
  /** `[3]` */
  index(position: number): FieldPath {
    return new FieldPath(this, `[${position}]`);
  }
  /** `[key]`, an entry of a map. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }
  toString(): string {
    return this.#parent ? `${this.#parent}${this.#segment}` : this.#segment;
  }
}
