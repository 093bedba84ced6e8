import type { Readable } from 'node:stream';
import type { Exchange } from './exchange.ts';
import type { Json } from './json.ts';

export type { Json };

/** A parameter with several values is sent once for each. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SendOptions {
  readonly query?: Query | string;
  /** Sent as it is when a string or bytes, else as JSON. */
  readonly body?: unknown;
  /** The body is sent in two parts, without its length being told before. */
  readonly inChunks?: boolean;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** false sends no credentials at all. */
  readonly credentials?: boolean;
  readonly limit?: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  /** What it makes outlasts the rule: who sends this sees to it himself. */
  readonly lasting?: boolean;
}

/** What came back: the whole of it has been read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of a header that may come several times. */
  readonly all: (header: string) => readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  /** The body read as JSON; undefined when it is none. */
  readonly body: Json;
  /** As messages tell it: what it says stands before how it was sent, and no secret hides among bytes. */
  toJSON?(): unknown;
}

/** An answer whose body is still coming. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: Readable;
  readonly exchange: Exchange;
}

export type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>;

export interface Client {
  readonly send: Send;
  /** For watches: resolves with the headers. `signal` ends it. */
  readonly open: (path: string, options: SendOptions & { signal: AbortSignal }) => Promise<OpenAnswer>;
}
