import type { PluginMeddling } from '../target/credential-plugin.ts';
import type { Json } from '../verbs/json.ts';

/** A request on its way to the target. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as it was sent. */
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** What a sabotage may do in one run; every part is optional, and each sees what the one before it left. */
export interface Meddling {
  /** Changes a request, or answers it without asking the target. */
  readonly request?: (request: ProxiedRequest) => ProxiedRequest | ProxiedAnswer;
  /** Changes a whole answer. Watch streams are not seen here. */
  readonly answer?: (answer: ProxiedAnswer, request: ProxiedRequest) => ProxiedAnswer;
  /** Changes one event of a watch; none swallows it, several put more in. */
  readonly event?: (event: { type: string; object: Json }, request: ProxiedRequest) => readonly Json[];
  /** Changes the head of a watch's answer. */
  readonly streamHead?: (head: Omit<ProxiedAnswer, 'body'>, request: ProxiedRequest) => Omit<ProxiedAnswer, 'body'>;
}

/** One way of breaking a server that keeps the rules. */
export interface Sabotage {
  /** What it does, for the report of the self-check. */
  readonly name: string;
  /** Called once a run, so that it may count. */
  readonly begin: () => Meddling;
  /** For rules about clients: how one that breaks the rule treats its credential plugin. */
  readonly client?: () => PluginMeddling;
}

export const isAnswer = (value: ProxiedRequest | ProxiedAnswer): value is ProxiedAnswer => 'status' in value;
