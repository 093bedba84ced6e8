import { anonymous, authenticatedGroup, type User, unauthenticatedGroup } from '../base/user.ts';

/**
 * The user with the group that everybody authenticated has, added last. Nothing is added for the anonymous user or
 * where one of the two groups is given already.
 */
export function knownUser(user: User): User {
  const { name, groups } = user;
  if (name === anonymous.name || groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)) {
    return user;
  }
  return { ...user, groups: [...groups, authenticatedGroup] };
}

export const noExtra: User['extra'] = Object.freeze(Object.create(null));
