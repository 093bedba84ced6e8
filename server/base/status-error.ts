import { enoughErrors, type FieldError } from './field-error.ts';

/** One reason among several for a failure, as `details.causes[]` of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural resource for failures about an object, the Kind for failures about its content. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The `Status` object every failed request answers (and a few successful ones). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** What a failure is about: `resource` is the plural for not-found and conflicts, the Kind for invalid objects. */
export interface Subject {
  readonly group: string;
  readonly resource: string;
}

/** A failure that knows its HTTP answer. Thrown anywhere in the server, turned into a response in one place. */
export class StatusError extends Error {
  readonly status: Status & { readonly code: number };
  /** Further response headers, for example Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: Status & { readonly code: number }, headers: Readonly<Record<string, string>> = {}) {
    const { stackTraceLimit } = Error;
    // What is wrong with a request is told in words; where that was noticed takes ten times as long to note.
    if (status.code < 500) Error.stackTraceLimit = 0;
    super(status.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
    this.headers = headers;
  }
}

const isOf =
  (reason: string) =>
  (error: unknown): error is StatusError =>
    error instanceof StatusError && error.status.reason === reason;

/** What a failure means, for those who go on in spite of it. */
export const isNotFound = isOf('NotFound');
export const isNotAcceptable = isOf('NotAcceptable');

/** Whoever sent the request is to blame (4xx). */
export const isFaultOfRequest = (error: unknown): error is StatusError =>
  error instanceof StatusError && error.status.code < 500;

interface Failure {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  readonly metadata?: Status['metadata'];
  readonly headers?: Record<string, string>;
}

/** What comes from a request goes back into its answer up to so many characters, and causes up to so many. */
const most = { ofName: 1024, ofCause: 2048, ofReason: 4096, ofMessage: 65_536, causes: 2500 };

const cut = (text: string, atMost: number): string =>
  text.length <= atMost ? text : `${text.slice(0, atMost)}... (${text.length - atMost} more characters)`;

/** A name that somebody sent, as it is told back: what else there is to say of it is not to be lost behind it. */
export const shortName = (name: string): string => cut(name, most.ofName);

/** What is told with each of many causes: more of it is not shown anyway. */
export const shortCause = (text: string): string => cut(text, most.ofCause);

function failure({ code, reason, message, details, metadata = {}, headers }: Failure): StatusError {
  return new StatusError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message: cut(message, most.ofMessage),
      ...(reason && { reason }),
      ...(details && { details }),
      code,
    },
    headers,
  );
}

const named = ({ group, resource }: Subject, name?: string): StatusDetails => ({
  ...(name && { name: shortName(name) }),
  ...(group && { group: shortName(group) }),
  ...(resource && { kind: shortName(resource) }),
});

const qualified = ({ group, resource }: Subject) => shortName(group ? `${resource}.${group}` : resource);

const quoted = (name: string) => JSON.stringify(shortName(name));

export const badRequest = (message: string) => failure({ code: 400, reason: 'BadRequest', message });

export const unauthorized = () => failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

const forbiddenThing = (subject: Subject, name: string) =>
  subject.resource ? `${qualified(subject)} ${name && `${quoted(name)} `}is ` : '';

/** A refusal by authorization or admission; `why` completes the sentence. */
export const forbidden = (subject: Subject, name: string, why: string, causes?: readonly StatusCause[]) =>
  failure({
    code: 403,
    reason: 'Forbidden',
    message: `${forbiddenThing(subject, name)}forbidden: ${cut(why, most.ofReason)}`,
    details: { ...named(subject, name), ...(causes && { causes }) },
  });

export const notFound = (subject: Subject, name: string) =>
  failure({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(subject)} ${quoted(name)} not found`,
    details: named(subject, name),
  });

/** A path that names nothing the server has. */
export const noSuchPath = () =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });

export const methodNotAllowed = () =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export const notAcceptable = (mediaTypes: readonly string[], details?: StatusDetails) =>
  failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${mediaTypes.join(', ')}`,
    details,
  });

export const alreadyExists = (subject: Subject, name: string, deleting: boolean) =>
  failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${deleting ? 'object is being deleted: ' : ''}${qualified(subject)} ${quoted(name)} already exists`,
    details: named(subject, name),
  });

export const conflict = (subject: Subject, name: string, why: string) =>
  failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(subject)} ${quoted(name)}: ${cut(why, most.ofReason)}`,
    details: named(subject, name),
  });

/** Server-side apply found fields that other managers own; one cause a field. */
export const applyConflict = (causes: readonly StatusCause[], message: string) =>
  failure({ code: 409, reason: 'Conflict', message, details: { causes } });

/** The version asked for is no longer held. `freshToken` lets a paging client go on at the current version. */
export const expired = (message: string, freshToken?: string) =>
  failure({ code: 410, reason: 'Expired', message, ...(freshToken && { metadata: { continue: freshToken } }) });

/** What was sent, or what it asks for, is too large; `why` completes the sentence. */
export const entityTooLarge = (why: string) =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` });

export const unsupportedMediaType = (mediaTypes: readonly string[], details?: StatusDetails) =>
  failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`,
    details,
  });

/** Validation failed. `subject.resource` is the Kind here. */
export const invalid = (subject: Subject, name: string, errors: readonly FieldError[]) => {
  const causes: StatusCause[] = errors
    .slice(0, most.causes)
    .map(({ reason, text, field }) => ({ reason, message: cut(text, most.ofCause), field: shortName(field) }));
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const told = lines.length > 1 ? [cut(lines.join(', '), most.ofMessage / 2)] : lines;
  if (errors.length > causes.length) {
    const atLeast = errors.length >= enoughErrors ? 'at least ' : '';
    const rest = `and ${atLeast}${errors.length - causes.length} more`;
    told.push(rest);
    causes.push({ message: rest });
  }
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(subject)} ${quoted(name)} is invalid: ${lines.length > 1 ? `[${told.join(', ')}]` : told.join(', ')}`,
    details: { ...named(subject, name), causes },
  });
};

/** A request whose form is fine but which cannot be carried out, such as a JSON patch that fails. */
export const unprocessable = (message: string) => failure({ code: 422, reason: 'Invalid', message, details: {} });

export const tooManyRequests = (message: string, retryAfterSeconds: number, causes?: readonly StatusCause[]) =>
  failure({
    code: 429,
    reason: 'TooManyRequests',
    message,
    details: { ...(causes && { causes }), ...(retryAfterSeconds > 0 && { retryAfterSeconds }) },
    ...(retryAfterSeconds > 0 && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });

export const internalError = (message: string) =>
  failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });

/** There is no room for what was to be written. */
export const insufficientStorage = (why: string) =>
  failure({ code: 507, reason: 'InsufficientStorage', message: `nothing more can be stored: ${why}` });

export const serviceUnavailable = (message: string) => failure({ code: 503, reason: 'ServiceUnavailable', message });

/** A version that this server has not reached yet (rule `rv.too-large.list`). */
export const versionTooLarge = (asked: number, current: number, retryAfterSeconds?: number) =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      ...(retryAfterSeconds && { retryAfterSeconds }),
    },
    ...(retryAfterSeconds && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });

export const requestTimeout = (message: string) =>
  failure({ code: 504, reason: 'Timeout', message: `Timeout: ${message}`, details: {} });

/** An answer that somebody else composed, such as a webhook's refusal. */
export const statusAnswer = (code: number, message: string, reason?: string, details?: StatusDetails) =>
  failure({ code, message, reason, details });
