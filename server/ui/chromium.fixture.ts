import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => !spawnSync(name, ['--version']).error);

/** Whether there is a browser to try pages in. */
export const hasChromium = program !== undefined;

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--ignore-certificate-errors',
  '--remote-debugging-port=0',
];

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly exceptionDetails?: { readonly exception?: { readonly description?: string } } };
  readonly result?: { readonly [field: string]: unknown };
  readonly error?: { readonly message: string };
}

/** A page in a browser without a screen. */
export class BrowserPage {
  /** What broke in the page's own code. */
  readonly errors: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #last = 0;

  private constructor(child: ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))));
  }

  static async open(url: string): Promise<BrowserPage> {
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    const child = spawn(program ?? '', [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
      // What it leaves behind goes with its profile.
      env: { ...process.env, TMPDIR: profile },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: its many processes are ended together.
      detached: true,
    });
    const port = await debuggingPort(child);
    const made = await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: 'PUT' });
    const { webSocketDebuggerUrl } = (await made.json()) as { webSocketDebuggerUrl: string };
    const socket = new WebSocket(webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    const page = new BrowserPage(child, profile, socket);
    for (const domain of ['Page', 'Runtime']) await page.call(`${domain}.enable`);
    await page.call('Page.navigate', { url });
    return page;
  }

  async call(method: string, params: object = {}): Promise<{ readonly [field: string]: unknown }> {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result = {}, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const answer = await this.call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    return (answer as { result: { value: T } }).result.value;
  }

  async press(key: string, times = 1): Promise<void> {
    const text = key === 'Enter' ? '\r' : undefined;
    const codes: Readonly<Record<string, number>> = {
      Enter: 13,
      Tab: 9,
      ArrowDown: 40,
      ArrowUp: 38,
      ArrowRight: 39,
      End: 35,
      Escape: 27,
    };
    const event = { key, code: key, windowsVirtualKeyCode: codes[key], ...(text && { text }) };
    for (let time = 0; time < times; time++) {
      await this.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await this.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    }
  }

  type = (text: string) => this.call('Input.insertText', { text });

  /** PNG of what is seen. */
  async screenshot(width: number, scheme: 'light' | 'dark'): Promise<Buffer> {
    await this.call('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await this.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await this.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const { data } = await this.call('Page.captureScreenshot');
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    this.#socket.close();
    // Only with the last of its processes does its standard error end; until then one may write to the profile again.
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    if (this.#child.pid) process.kill(-this.#child.pid, 'SIGKILL');
    await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #hear(message: Message): void {
    if (message.method === 'Runtime.exceptionThrown')
      this.errors.push(message.params?.exceptionDetails?.exception?.description ?? 'unknown');
    this.#waiting.get(message.id ?? 0)?.(message);
    this.#waiting.delete(message.id ?? 0);
  }
}

async function debuggingPort({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('the browser has no standard error');
  for await (const line of createInterface({ input: stderr })) {
    const [, port] = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line) ?? [];
    if (port) {
      stderr.resume();
      return port;
    }
  }
  throw new Error('the browser did not start');
}
