import type { Answer } from './answer/respond.ts';
import { readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Log } from './log.ts';

/** `/debug/flags/v`: a PUT of a whole number makes it the level of the log from now on, as `--v` does at start. */
export async function setLogLevel(exchange: Exchange, { log }: { readonly log: Log }): Promise<Answer> {
  if (exchange.info.method !== 'PUT') return told(406, 'unsupported http method');
  const text = (await readBody(exchange)).toString();
  if (!/^-?\d{1,9}$/.test(text)) return told(400, 'the log level must be a whole number');
  log.setLevel?.(Number(text));
  return told(200, `the log level is ${text}`);
}

const told = (code: number, text: string): Answer => ({ code, contentType: 'text/plain', body: `${text}\n` });
