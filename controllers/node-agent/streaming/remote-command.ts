import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { clearTimeout, setTimeout } from 'node:timers';
import type { ClientStreams, TerminalSize } from '../container-runtime.ts';
import { ChannelSocket } from './channel-socket.ts';
import { channelProtocols, failureText, statusText, tellsEnds } from './protocols.ts';
import { SpdySession, type SpdyStream } from './spdy-session.ts';
import { acceptSpdy, acceptWebSocket, type Upgrade, wantsSpdy } from './upgrades.ts';

/** Which streams the client wants. */
export interface Wanted {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** Runs with the client's streams; answers the exit code. */
export type Run = (streams: ClientStreams) => Promise<number>;

/** How long a client may take to open the streams that it asked for, in milliseconds. */
const streamsWithin = 30_000;
/** Channels of a WebSocket, by number. */
const channels = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;

/** Carries out exec or attach over whichever connection the client asks for. @throws Refusal before it is taken over */
export const serveCommand = (upgrade: Upgrade, wanted: Wanted, run: Run): Promise<void> =>
  wantsSpdy(upgrade.request) ? overSpdy(upgrade, wanted, run) : overWebSocket(upgrade, wanted, run);

async function overSpdy(upgrade: Upgrade, wanted: Wanted, run: Run): Promise<void> {
  const protocol = acceptSpdy(upgrade, channelProtocols);
  const sizes = wanted.tty && /^v[345]\./.test(protocol);
  const names = ['error', ...namesOf(wanted), ...(sizes ? ['resize'] : [])];
  const opened = new Map<string, SpdyStream>();
  const complete = Promise.withResolvers<void>();
  const session = new SpdySession(upgrade.socket, (stream) => {
    opened.set(stream.headers.get('streamtype') ?? '', stream);
    if (names.every((name) => opened.has(name))) complete.resolve();
  });
  const gone = new AbortController();
  const over = session.run().then(() => gone.abort());
  const late = setTimeout(() => upgrade.socket.destroy(), streamsWithin);
  await Promise.race([complete.promise, over]);
  clearTimeout(late);
  if (gone.signal.aborted) return;
  const streams = { ...Object.fromEntries(opened), tty: wanted.tty, endless: wanted.tty, signal: gone.signal };
  await conduct(protocol, streams as Streams, run);
  for (const stream of opened.values()) if (!stream.writableEnded) stream.end();
  await Promise.race([over, Promise.all([...opened.values()].map((stream) => flushed(stream)))]);
  session.end();
  await over;
}

async function overWebSocket(upgrade: Upgrade, wanted: Wanted, run: Run): Promise<void> {
  const { protocol, webSocket } = await acceptWebSocket(upgrade, channelProtocols);
  const gone = new AbortController();
  const over = once(webSocket, 'close').then(() => gone.abort());
  const socket = new ChannelSocket(webSocket);
  const numberOf = (name: (typeof channels)[number]) => channels.indexOf(name);
  const streams: Streams = {
    tty: wanted.tty,
    endless: wanted.tty || !tellsEnds(protocol),
    signal: gone.signal,
    error: socket.output(numberOf('error')),
    ...(wanted.stdin && { stdin: socket.input(numberOf('stdin')) }),
    ...(wanted.stdout && { stdout: socket.output(numberOf('stdout')) }),
    ...(wanted.stderr && !wanted.tty && { stderr: socket.output(numberOf('stderr')) }),
    ...(wanted.tty && { resize: socket.input(numberOf('resize')) }),
  };
  await conduct(protocol, streams, run);
  webSocket.close(1000);
  await over;
}

const namesOf = ({ stdin, stdout, stderr, tty }: Wanted): readonly string[] => [
  ...(stdin ? ['stdin'] : []),
  ...(stdout ? ['stdout'] : []),
  ...(stderr && !tty ? ['stderr'] : []),
];

interface Streams {
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  readonly error: Writable;
  readonly resize?: Readable;
  readonly tty: boolean;
  readonly endless: boolean;
  readonly signal: AbortSignal;
}

/** Runs, and tells how it ended once all output has gone out. Never throws. */
async function conduct(protocol: string, streams: Streams, run: Run): Promise<void> {
  const { error, resize, stdout, stderr } = streams;
  const onResize = (listener: (size: TerminalSize) => void) => resize && tellSizes(resize, listener);
  const ending = await run({ ...streams, onResize }).then(
    (exitCode) => statusText(protocol, exitCode),
    (failure: unknown) => failureText(protocol, failure instanceof Error ? failure.message : String(failure)),
  );
  for (const output of [stdout, stderr]) {
    if (!output) continue;
    output.end();
    await flushed(output);
  }
  error.end(ending);
  await flushed(error);
}

/** Resolves when all that was written has gone, or never will. */
const flushed = (stream: Writable): Promise<void> => finished(stream, { readable: false }).catch(() => {});

/** Each size is an object of its own; how they are cut into messages is left to the client. */
function tellSizes(stream: Readable, listener: (size: TerminalSize) => void): void {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-1000);
    for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}')) {
      const { Width, Height } = sizeIn(text.slice(0, end + 1));
      if (Width && Height) listener({ columns: Width, rows: Height });
      text = text.slice(end + 1);
    }
  });
}

function sizeIn(text: string): { readonly Width?: number; readonly Height?: number } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
