/** Members that a server fills from a pool of its own. */
const allotted = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']);

/** Where a value stands in an answer. What counts for all below a member is found out once, and its text when it is asked for. */
export class Path {
  static readonly root = new Path(undefined, '');
  /** The name of the member, or the place in a list. */
  readonly name: string;
  /** What stands behind the last dot of it: keys may have some. */
  readonly member: string;
  /** Whether the server takes it from a pool of its own. */
  readonly isAllotted: boolean;
  /** Whether it is protobuf, read without a schema. */
  readonly isWire: boolean;
  /** Whether it is a cell of a table. */
  readonly isCell: boolean;
  readonly #parent: Path | undefined;
  #text: string | undefined;

  private constructor(parent: Path | undefined, name: string) {
    const dot = name.lastIndexOf('.');
    this.#parent = parent;
    this.name = name;
    this.member = dot < 0 ? name : name.slice(dot + 1);
    this.isAllotted = parent?.isAllotted || (dot < 0 ? allotted.has(name) : name.split('.').some(isFromPool));
    this.isWire = parent?.isWire || name.includes('wire');
    this.isCell = parent?.isCell || parent?.name === 'cells';
  }

  at(name: string | number): Path {
    return new Path(this, String(name));
  }

  /** With dots; empty for the answer itself. */
  get text(): string {
    if (this.#parent === undefined) return '';
    this.#text ??= this.#parent.#parent === undefined ? this.name : `${this.#parent.text}.${this.name}`;
    return this.#text;
  }
}

const isFromPool = (member: string): boolean => allotted.has(member);
