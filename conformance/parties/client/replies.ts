/** One that comes several times has a list. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What a client is answered. */
export interface Reply {
  readonly status?: number;
  readonly headers?: ReplyHeaders;
  readonly body: string | Buffer;
}

/** An answer that goes on: it is given the stream once its head is sent. */
export interface Lasting {
  readonly open: (stream: Stream) => void;
}

export interface Stream {
  readonly write: (text: string | Buffer) => void;
  readonly end: () => void;
  readonly onClose: (callback: () => void) => void;
}
