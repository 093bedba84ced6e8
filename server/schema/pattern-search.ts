import type { Work } from '../base/turns/work.ts';

/** One step of a compiled pattern, as the library has it. */
interface Instruction {
  readonly op: number;
  /** Where it goes on. */
  readonly out: number;
  /** The other way of a choice; what an empty place has to be. */
  readonly arg: number;
  matchRune(rune: number): boolean;
}

export interface Program {
  readonly start: number;
  numInst(): number;
  getInst(at: number): Instruction;
}

const op = {
  alternative: 1,
  matchingAlternative: 2,
  capture: 3,
  empty: 4,
  match: 6,
  nothing: 7,
  firstRune: 8,
  lastRune: 11,
};

/** What a place between two characters can be. */
const place = { lineBegins: 1, lineEnds: 2, textBegins: 4, textEnds: 8, wordBoundary: 16, noWordBoundary: 32 };

/** Steps at a stretch, after which others may have their turn: a millisecond. */
const stretch = 20_000;

const none = -1;
const lineFeed = 0x0a;
const isWord = (rune: number) => rune !== none && rune < 128 && /\w/.test(String.fromCharCode(rune));

const placeBetween = (before: number, after: number): number =>
  (before === none ? place.textBegins | place.lineBegins : before === lineFeed ? place.lineBegins : 0) |
  (after === none ? place.textEnds | place.lineEnds : after === lineFeed ? place.lineEnds : 0) |
  (isWord(before) === isWord(after) ? place.noWordBoundary : place.wordBoundary);

/**
 * Whether a pattern matches anywhere in a text: all ways through the pattern are gone side by side, character by
 * character, which takes so long as both are together, and lets others have their turn.
 */
export function* search(program: Program, text: string): Work<boolean> {
  const ways = new Ways(program);
  let reached: number[] = [];
  let before = none;
  for (let at = 0, steps = 0; ; ) {
    const rune = text.codePointAt(at) ?? none;
    const states = ways.from([...reached, program.start], placeBetween(before, rune));
    if (!states) return true;
    if (rune === none) return false;
    reached = [];
    for (const state of states) if (ways.takes(state, rune)) reached.push(program.getInst(state).out);
    steps = (steps % stretch) + states.length + 1;
    if (steps >= stretch) yield;
    at += rune > 0xffff ? 2 : 1;
    before = rune;
  }
}

class Ways {
  readonly #program: Program;
  /** At which of the calls of `from` a state was last come to. */
  readonly #seen: Uint32Array;
  #call = 0;
  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Uint32Array(program.numInst());
  }

  takes(state: number, rune: number): boolean {
    const instruction = this.#program.getInst(state);
    return instruction.op >= op.firstRune && instruction.op <= op.lastRune && instruction.matchRune(rune);
  }

  /** All states that are come to from some without a further character; undefined: one of them is a match. */
  from(begin: number[], at: number): number[] | undefined {
    this.#call++;
    const states: number[] = [];
    for (let state = begin.pop(); state !== undefined; state = begin.pop()) {
      if (this.#seen[state] === this.#call) continue;
      this.#seen[state] = this.#call;
      const instruction = this.#program.getInst(state);
      if (instruction.op === op.match) return undefined;
      if (instruction.op >= op.firstRune) states.push(state);
      else begin.push(...onwards(instruction, at));
    }
    return states;
  }
}

function onwards({ op: what, out, arg }: Instruction, at: number): number[] {
  if (what === op.alternative || what === op.matchingAlternative) return [out, arg];
  if (what === op.capture || what === op.nothing) return [out];
  return what === op.empty && (arg & ~at) === 0 ? [out] : [];
}
