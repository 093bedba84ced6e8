import type { OutgoingHttpHeaders } from 'node:http';
import type { ConnectionOptions } from 'node:tls';
import type { KubeObject } from '../base/kube-object.ts';
import type { At } from '../http-client/http-call.ts';

/** Whom a request is passed on to, and what is asked there. */
export interface Destination {
  /** The node whose agent is asked, over HTTPS, as this server; with `address`, through whose agent that is reached. */
  readonly node?: KubeObject;
  /** The address of a pod. */
  readonly address?: { readonly host: string; readonly port: number; readonly scheme: 'http' | 'https' };
  /** Instead of these two a service that shows who it is, and is shown who asks. */
  readonly service?: { readonly at: At; readonly tls: () => ConnectionOptions };
  /** Beside those of the client, and before them. */
  readonly headers?: OutgoingHttpHeaders;
  /** With its query. */
  readonly path: string;
  /** The failure that the client is told when nobody can be reached. */
  readonly unreachable: (why: string) => Error;
  /** The failure that the client is told instead of an answer with another code than 2xx; without it, that answer. */
  readonly refused?: (code: number, text: string) => Error;
  /** The failure that the client is told instead of being sent elsewhere; without it, it is sent there. */
  readonly redirected?: () => Error;
  /** Milliseconds for all of the exchange; without it, as long as it takes. */
  readonly within?: number;
}
