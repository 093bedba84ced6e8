/** Characters that all warnings of one answer may have together. */
const mostTogether = 4096;
/** Characters of one warning, once they are too many together. */
const mostEach = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * The warnings of one answer: each text once, in the order of their arrival. Empty texts and such with a control
 * character are dropped. A long text passes whole; once all together are too long, each is cut, and what comes after
 * that has no room is dropped (rule `webhook.response.warnings.length`).
 */
export class Warnings {
  readonly #texts = new Set<string>();
  #cuts = false;
  #length = 0;

  add(text: string): void {
    const full = this.#cuts && this.#length >= mostTogether;
    if (full || text === '' || this.#texts.has(text) || controlCharacter.test(text)) return;
    this.#texts.add(text);
    this.#length += this.#lengthOf(text);
    if (this.#cuts || this.#length <= mostTogether) return;
    this.#cuts = true;
    this.#length = [...this.#texts].reduce((sum, each) => sum + this.#lengthOf(each), 0);
  }

  #lengthOf(text: string): number {
    const { length } = [...text];
    return this.#cuts ? Math.min(length, mostEach) : length;
  }

  get texts(): readonly string[] {
    const texts = [...this.#texts];
    return this.#cuts ? texts.map((text) => [...text].slice(0, mostEach).join('')) : texts;
  }
}
