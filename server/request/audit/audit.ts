import type { Ids } from '../../base/ids.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Status } from '../../base/status-error.ts';
import { type Clock, formatMicroTime } from '../../base/time/clock.ts';
import type { Fields } from '../../base/untyped.ts';
import type { User } from '../../base/user.ts';
import { encodeJson } from '../../schema/encode.ts';
import { type AuditLog, openAuditLog } from './log.ts';
import { type AuditOptions, standardMegabytes } from './options.ts';
import {
  type AuditDecision,
  type AuditLevel,
  type AuditPolicy,
  type AuditStage,
  type AuditSubject,
  atLeast,
  readAuditPolicyFile,
} from './policy.ts';

/** A request as auditing sees it. */
export interface AuditedRequest extends AuditSubject {
  /** Path and query as sent. */
  readonly uri: string;
  readonly version: string;
  readonly userAgent: string;
  readonly sourceIPs: readonly string[];
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Of the request's `Audit-ID` header. */
  readonly auditId: string | undefined;
}

/** What is recorded with a stage. What its level does not want is left out, so it may all be given. */
export interface AuditDetails {
  readonly impersonatedUser?: User;
  readonly annotations?: ReadonlyMap<string, string>;
  readonly code?: number;
  /** A failure's Status. */
  readonly status?: Status;
  readonly requestObject?: KubeObject;
  /** What was sent where that is no object to be stored: a patch, options, what an operation is asked for. */
  readonly requestDocument?: object;
  readonly responseObject?: object;
}

/** Kinds whose objects hold secrets: of them only is recorded who did what, whatever the policy says. */
const secretResources = new Set(['/secrets', '/serviceaccounts/token', 'authentication.k8s.io/tokenreviews']);

function permittedLevel(level: AuditLevel, { group, resource, subresource }: AuditSubject): AuditLevel {
  const key = subresource === 'token' ? `${group}/${resource}/token` : `${group}/${resource}`;
  return secretResources.has(key) && atLeast(level, 'Metadata') ? 'Metadata' : level;
}

/** Annotations with the content of patches, which are for levels that record content. */
const patches = 'patch.webhook.admission.k8s.io/';

const credential = /^(?:access_|id_)?token$/i;

/** Parameters that may carry a credential lose their value, however their names are spelt. */
const withoutTokens = (uri: string) =>
  uri.replace(/([?&;])([^=&;]*)=[^&;]*/g, (whole, mark: string, name: string) =>
    credential.test(decodedName(name)) ? `${mark}${name}=redacted` : whole,
  );

/** A name that cannot be decoded is no parameter's. */
function decodedName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim();
  } catch {
    return '';
  }
}

const userOf = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid && { uid }),
  groups,
  ...(Object.keys(extra).length && { extra }),
});

function objectRef(request: AuditedRequest, object: KubeObject | undefined) {
  if (!request.isResource) return undefined;
  const { resource, namespace, name, group, version, subresource } = request;
  const metadata = object?.metadata;
  const all = {
    resource,
    namespace,
    name: name || metadata?.name,
    uid: metadata?.uid,
    apiGroup: group,
    apiVersion: version,
    resourceVersion: metadata?.resourceVersion,
    subresource,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

function responseStatus({ code, status }: AuditDetails) {
  if (code === undefined) return undefined;
  if (!status) return { metadata: {}, code };
  const { status: outcome, message, reason } = status;
  return { metadata: {}, status: outcome, ...(message && { message }), ...(reason && { reason }), code };
}

function withoutManagedFields(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { metadata, items, ...rest } = value as Fields;
  const { managedFields: _fields, ...kept } = (metadata ?? {}) as Fields;
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: kept }),
    ...(Array.isArray(items) ? { items: items.map(withoutManagedFields) } : items !== undefined && { items }),
  };
}

/** The trail that one request leaves. */
export class AuditTrail {
  readonly #log: (event: object) => void;
  readonly #clock: Clock;
  readonly #request: AuditedRequest;
  readonly #decision: AuditDecision;
  readonly #level: AuditLevel;
  readonly id: string;
  constructor(
    log: (event: object) => void,
    clock: Clock,
    request: AuditedRequest,
    decision: AuditDecision,
    id: string,
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#request = request;
    this.#decision = decision;
    this.#level = permittedLevel(decision.level, request);
    this.id = id;
  }
  /** Whether the body sent is recorded. */
  get wantsRequest(): boolean {
    return atLeast(this.#level, 'Request');
  }
  /** Whether the object answered is recorded. */
  get wantsResponse(): boolean {
    return atLeast(this.#level, 'RequestResponse');
  }
  /** Records that the request reached a stage, unless the policy leaves that out. Never throws. */
  stage(stage: AuditStage, details: AuditDetails = {}): void {
    if (this.#decision.omitStages.has(stage)) return;
    this.#log(this.#event(stage, details));
  }
  /**
   * Records how the request ended. Who is not known reaches no handler: of such a request v1.25 tells at
   * `ResponseStarted`, and at no other stage. Never throws.
   */
  end(details: AuditDetails): void {
    this.stage(this.#request.user ? 'ResponseComplete' : 'ResponseStarted', details);
  }
  #event(stage: AuditStage, details: AuditDetails): object {
    const request = this.#request;
    const show = (object: object | undefined) =>
      object && this.#decision.omitManagedFields ? withoutManagedFields(object) : object;
    const annotations = [...(details.annotations ?? [])].filter(
      ([key]) => this.wantsRequest || !key.startsWith(patches),
    );
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: this.#level,
      auditID: this.id,
      stage,
      requestURI: withoutTokens(request.uri),
      verb: request.verb,
      user: request.user ? userOf(request.user) : {},
      impersonatedUser: details.impersonatedUser && userOf(details.impersonatedUser),
      sourceIPs: request.sourceIPs,
      userAgent: request.userAgent || undefined,
      objectRef: objectRef(request, details.requestObject),
      responseStatus: responseStatus(details),
      requestObject: this.wantsRequest ? show(details.requestObject ?? details.requestDocument) : undefined,
      responseObject: this.wantsResponse ? show(details.responseObject) : undefined,
      requestReceivedTimestamp: formatMicroTime(request.receivedAt),
      stageTimestamp: formatMicroTime(this.#clock.now()),
      annotations: annotations.length ? Object.fromEntries(annotations) : undefined,
    };
  }
}

/** Told why events could not be written, and of how many that is so. */
type Failed = (error: unknown, events: number) => void;

/** Milliseconds between two reports of events that could not be written. */
const tellEvery = 60_000;

/** Records who did what, as a policy asks for. */
export class Auditor {
  readonly #policy: AuditPolicy;
  readonly #log: AuditLog;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #failed: Failed;
  /** Events that could not be written, since somebody was told. */
  #lost = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  constructor(policy: AuditPolicy, log: AuditLog, clock: Clock, ids: Ids, failed: Failed) {
    this.#policy = policy;
    this.#log = log;
    this.#clock = clock;
    this.#ids = ids;
    this.#failed = failed;
  }
  /**
   * The trail of a request, its first stage recorded where its user is known; undefined when the policy leaves the
   * request out.
   */
  begin(request: AuditedRequest): AuditTrail | undefined {
    const decision = this.#policy.decide(request);
    if (decision.level === 'None') return undefined;
    const id = request.auditId?.slice(0, 64) || this.#ids.uid();
    const trail = new AuditTrail((event) => this.#write(event), this.#clock, request, decision, id);
    if (request.user) trail.stage('RequestReceived');
    return trail;
  }
  close(): void {
    this.#log.close();
  }
  #write(event: object): void {
    try {
      this.#log.write(encodeJson(event));
    } catch (error) {
      this.#lose(error);
    }
  }
  /** A disk that is full stays so for a while: its failures are told in sum. */
  #lose(error: unknown): void {
    this.#lost++;
    const now = this.#clock.now();
    if (now - this.#toldAt < tellEvery) return;
    this.#failed(error, this.#lost);
    this.#toldAt = now;
    this.#lost = 0;
  }
}

/**
 * The auditor that checked options (see `checkAuditOptions`) ask for; undefined when they ask for none. `failed` is
 * told when events could not be written, at most once a minute; their requests go on.
 * @throws Error when a file cannot be read or opened, or holds no policy
 */
export function buildAuditor(options: AuditOptions, clock: Clock, ids: Ids, failed: Failed): Auditor | undefined {
  const { auditPolicyFile, auditLogPath } = options;
  if (!auditPolicyFile || !auditLogPath) return undefined;
  const policy = readAuditPolicyFile(auditPolicyFile);
  const megabytes = options.auditLogMaxsize || standardMegabytes;
  const limits = {
    path: auditLogPath,
    maxBytes: megabytes * 1024 * 1024,
    maxBackups: options.auditLogMaxbackup,
    maxAgeMs: options.auditLogMaxage * 86_400_000,
  };
  return new Auditor(policy, openAuditLog(limits, clock), clock, ids, failed);
}
