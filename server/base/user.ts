/** Who makes a request: what authentication (and impersonation) attaches to it. Values are opaque. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const mastersGroup = 'system:masters';

export const anonymous: User = { name: 'system:anonymous', uid: '', groups: [unauthenticatedGroup], extra: {} };
