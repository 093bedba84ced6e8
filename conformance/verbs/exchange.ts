/** One request and its answer, as a report shows it. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** 0 while there is no answer. */
  status: number;
  answerHeaders: Readonly<Record<string, string>>;
  answerBody: string;
  /** Why there is no answer, when there is none. */
  failure?: string;
  milliseconds: number;
  /** It was given up while it waited, because its rule was over: that says nothing of the target. */
  isCut?: true;
  /** It was asked of the suite, which judges who asks: the answer is its own. */
  readonly isAsked?: true;
  /** The cell of the rule's matrix that it belongs to. */
  cell?: string;
}

/** Why requests are given up that wait for an answer when their rule is over. */
export class RuleOver extends Error {}

const longestBody = 16 * 1024;

/** Characters in which is said how much was left out. */
const roomForRest = 64;

const secretHeader = /^(authorization|cookie|x-remote-.*)$/i;

/** Members of JSON bodies that hold secrets. */
const secretMember =
  /("(?:token|password|client-key-data|clientKeyData|id_token|token-secret)"\s*:\s*")(?:[^"\\]|\\.)*"/g;

const pemKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g;

/** Takes tokens, passwords and private keys out of a text. */
export function redact(text: string): string {
  return text.replace(secretMember, '$1REDACTED"').replace(pemKey, 'REDACTED PRIVATE KEY');
}

function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? redactCredential(value) : value]),
  );
}

function redactCredential(value: string): string {
  const scheme = /^(Bearer|Basic) /i.exec(value);
  return scheme ? `${scheme[0]}REDACTED` : 'REDACTED';
}

/** The text of a body that came as bytes, of a long one its beginning. */
export function excerpt(bytes: Buffer, longest = longestBody - roomForRest): string {
  if (bytes.length <= longest) return bytes.toString();
  // A character that is cut in two is left out.
  const begin = new TextDecoder().decode(bytes.subarray(0, longest), { stream: true });
  return `${begin}… (${bytes.length - longest} more bytes)`;
}

/** Cuts a body to what a report can bear, and says so. */
export function shorten(body: string, longest = longestBody): string {
  if (body.length <= longest) return body;
  // A part of a text would keep all of it in memory.
  const begin = Buffer.from(body.slice(0, longest)).toString();
  return `${begin}… (${body.length - longest} more characters)`;
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * A shell command that repeats the request, secrets left out: `$TOKEN` stands for the token. `options` are those that
 * the target needs of every request, such as its authority.
 */
export function curlOf(exchange: Exchange, options: readonly string[] = []): string {
  const words = ['curl', '-sS', '--globoff', ...options];
  if (exchange.method !== 'GET') words.push('-X', exchange.method);
  words.push(quote(exchange.url));
  for (const [name, value] of Object.entries(exchange.requestHeaders)) {
    if (/^authorization$/i.test(name) && /^Bearer /.test(value)) words.push('-H', '"Authorization: Bearer $TOKEN"');
    else if (!/^(content-length|connection)$/i.test(name))
      words.push('-H', quote(`${name}: ${redactHeaders({ [name]: value })[name]}`));
  }
  if (exchange.requestBody) words.push('--data-binary', quote(redact(exchange.requestBody)));
  return words.join(' ');
}

/** The exchange as it may leave the process: secrets out, bodies short. */
export function publishable(exchange: Exchange): Exchange {
  return {
    ...exchange,
    requestHeaders: redactHeaders(exchange.requestHeaders),
    ...(exchange.requestBody === undefined ? {} : { requestBody: shorten(redact(exchange.requestBody)) }),
    answerBody: shorten(redact(exchange.answerBody)),
  };
}
