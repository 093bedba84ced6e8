/** The Status object that a server answers a failed request with, as far as clients read it. */
export interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly field?: string }[];
  };
}

/** A request that the server refused. */
export class ApiError extends Error {
  readonly code: number;
  /** Such as `NotFound`; empty when the answer was no Status. */
  readonly reason: string;
  readonly status: StatusBody;
  /** Milliseconds that the server asks us to wait. */
  readonly retryAfter?: number;

  constructor(code: number, status: StatusBody, what: string, retryAfter?: number) {
    super(`${what}: ${status.message || status.reason || `HTTP ${code}`}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = status.reason ?? '';
    this.status = status;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

/** What to tell people of a failure: the server's own words where there are any. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ApiError) return error.status.message ?? error.reason;
  return error instanceof Error ? error.message : String(error);
};

const hasCode =
  (code: number, reason?: string) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && error.code === code && (!reason || error.reason === reason);

export const isNotFound = hasCode(404);
export const isConflict = hasCode(409, 'Conflict');
export const isAlreadyExists = hasCode(409, 'AlreadyExists');
/** The history asked for is gone: list again. */
export const isExpired = hasCode(410);
export const isForbidden = hasCode(403);

/** Whether a refusal is about the server's state, too much to do or not ready, and not about what was asked for. */
export const isPassing = ({ code }: ApiError): boolean => code === 429 || code === 503 || code === 504;

/** Whether an object cannot be created because its namespace is going away. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  isForbidden(error) && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');

/** The value, or undefined when there is no such object. */
export async function unlessNotFound<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
