import type { User } from '../base/user.ts';

/** What is asked for. */
export type Action = ResourceAction | PathAction;

export interface ResourceAction {
  readonly type: 'resource';
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathAction {
  readonly type: 'path';
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly decision: 'allow' | 'deny' | 'no opinion';
  readonly reason: string;
  /** What went wrong while deciding, if anything. */
  readonly error?: string;
}

/** Decides alone or as one of an ordered list: the first that allows or denies decides; no opinion at all is a refusal. */
export interface Authorizer {
  authorize(user: User, action: Action): Promise<Decision> | Decision;
}
