import type { Authentication } from '../authn/index.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import type { Services } from '../registry/call.ts';
import type { FanOut } from '../watch/fan-out.ts';
import type { AggregatedApis } from './aggregation/aggregated-apis.ts';
import type { Answer } from './answer/respond.ts';
import type { Auditor } from './audit/audit.ts';
import type { Exchange } from './exchange.ts';
import type { Gate, Pacer } from './flow-control/gate.ts';
import type { Backends } from './forward/backends.ts';
import type { Health } from './health.ts';
import type { Form } from './identify.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { OpenExchanges } from './open-exchanges.ts';
import type { Route } from './route.ts';
import type { VersionInfo } from './version.ts';

/** What the stages need of the server they run in. */
export interface RequestServices extends Services {
  readonly authentication: Pick<Authentication, 'authenticate' | 'onAuthoritiesChanged' | 'serviceAccountIssuer'>;
  readonly authorizer: Authorizer;
  /** Says which requests are let in, and when. */
  readonly gate: Gate;
  readonly pace: Pacer;
  readonly open: OpenExchanges;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly version: VersionInfo;
  readonly watches: FanOut;
  /** Agents of nodes, and pods, that requests are passed on to. */
  readonly backends: Backends;
  /** The groups that other servers serve behind this one. */
  readonly aggregated: AggregatedApis;
  /** Missing: nothing is recorded. */
  readonly auditor: Auditor | undefined;
  /** Where requests of a form lead, as far as that is known for good. */
  readonly routes: WeakMap<Form, Route>;
  /** Documents and endpoints that are no resources, by path without a trailing slash. */
  readonly paths: Map<string, PathHandler>;
}

export type PathHandler = (exchange: Exchange, services: RequestServices) => Promise<Answer> | Answer;
