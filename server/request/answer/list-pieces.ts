import { carryOut, known, type Work } from '../../base/turns/work.ts';
import { joinItems, type ListFrame } from '../../store/joined-items.ts';
import type { Stored } from '../../store/store.ts';
import { BufferPool } from './buffer-pool.ts';
import type { ListForm } from './list-form.ts';
import type { Piece } from './pieces.ts';

/** Bytes that are encoded before they are sent, about. */
const pieceBytes = 256 * 1024;
/** Stored bytes are joined in no time: a page of 500 usual objects goes whole, and tells its length. */
const joinedBytes = 1024 * 1024;

/** Lists are long and many: their bytes are joined in buffers that are used again once they are sent. */
const buffers = new BufferPool();

/** A list in plain JSON, joined from the stored bytes. */
export function* joinedPieces(items: readonly Stored[], { head, tail, bare }: ListFrame): Generator<Piece> {
  let from = 0;
  do {
    const to = itemsUpTo(items, from, joinedBytes);
    const frame = { head: from === 0 ? head : ',', tail: to === items.length ? tail : '', bare };
    let buffer: Buffer | undefined;
    const bytes = joinItems(items.slice(from, to), frame, (size) => {
      buffer = buffers.take(size);
      return buffer;
    });
    yield {
      bytes,
      sent: () => {
        if (buffer) buffers.give(buffer);
        buffer = undefined;
      },
    };
    from = to;
  } while (from < items.length);
}

/** How far a piece goes that begins at `from`: one item at least, if there is any. */
function itemsUpTo(items: readonly Stored[], from: number, mostBytes: number): number {
  let to = from;
  for (let bytes = 0; to < items.length && (bytes < mostBytes || to === from); to++) {
    bytes += items[to]?.line.length ?? 0;
  }
  return to;
}

/** What a list shows of an item that is stored. */
export type Shown = (stored: Stored) => object | Promise<object>;

/** A list in any form. Others have their turn while it is encoded. */
export async function* encodedPieces(items: readonly Stored[], shown: Shown, form: ListForm): AsyncGenerator<Piece> {
  const { kept, itemBytes } = form.needsLength
    ? await carryOut(measure(items, shown, form))
    : { kept: [], itemBytes: 0 };
  const piece = new GrowingPiece();
  piece.add(form.head(itemBytes));
  for (let at = 0; at < items.length; ) {
    at = await carryOut(grow(piece, { items, shown, form, kept }, at));
    if (at < items.length) yield { bytes: piece.take() };
  }
  piece.add(form.tail);
  yield { bytes: piece.take() };
}

interface Encoding extends Pick<Measured, 'kept'> {
  readonly items: readonly Stored[];
  readonly shown: Shown;
  readonly form: ListForm;
}

/** Puts items into a piece, from `from` on, until it is full. @returns how far it came */
function* grow(piece: GrowingPiece, { items, shown, form, kept }: Encoding, from: number): Work<number> {
  let at = from;
  for (; at < items.length && piece.size < pieceBytes; at++) {
    if (at > 0) piece.add(form.between);
    piece.add(kept[at] ?? form.item(yield* known(shown(items[at] as Stored))));
    yield;
  }
  return at;
}

/** What encoded items may take while their lengths are summed up; those beyond are encoded a second time. */
const keptBytes = 1024 * 1024;

interface Measured {
  readonly kept: readonly (string | Uint8Array)[];
  readonly itemBytes: number;
}

function* measure(items: readonly Stored[], shown: Shown, form: ListForm): Work<Measured> {
  const kept: (string | Uint8Array)[] = [];
  let itemBytes = 0;
  for (const stored of items) {
    const item = form.item(yield* known(shown(stored)));
    if (itemBytes < keptBytes) kept.push(item);
    itemBytes += typeof item === 'string' ? Buffer.byteLength(item) : item.length;
    yield;
  }
  return { kept, itemBytes };
}

class GrowingPiece {
  #parts: Uint8Array[] = [];
  size = 0;

  add(part: string | Uint8Array): void {
    if (part.length === 0) return;
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    this.#parts.push(bytes);
    this.size += bytes.length;
  }

  take(): Buffer {
    const bytes = Buffer.concat(this.#parts, this.size);
    this.#parts = [];
    this.size = 0;
    return bytes;
  }
}
