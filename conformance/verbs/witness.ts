import type { Client } from './client.ts';

/** Headers that a client adds to every request. */
export type SentHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Stands between a rule and its target and hears what goes to and fro; what it gives back is used in the client's place. */
export type Witness = (client: Client, headers: SentHeaders) => Client;
