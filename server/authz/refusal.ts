import { forbidden, StatusError } from '../base/status-error.ts';
import type { User } from '../base/user.ts';
import type { Action } from './authorizer.ts';
import { resourceText } from './policy-rule.ts';

/** What somebody may not do, in the words of the answer. */
function sentence(user: User, action: Action): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${action.verb}`;
  if (action.type === 'path') return `${who} path ${JSON.stringify(action.path)}`;
  const what = `${who} resource ${JSON.stringify(resourceText(action))} in API group ${JSON.stringify(action.group)}`;
  return action.namespace
    ? `${what} in the namespace ${JSON.stringify(action.namespace)}`
    : `${what} at the cluster scope`;
}

/** The 403 for an action that no authorizer allowed; `reason` is what they said about it. */
export function refusal(user: User, action: Action, reason: string): StatusError {
  const why = reason ? `${sentence(user, action)}: ${reason}` : sentence(user, action);
  const { status } =
    action.type === 'path'
      ? forbidden({ group: '', resource: '' }, '', why)
      : forbidden({ group: action.group, resource: action.resource }, action.name, why);
  // It tells who asks what they asked for: no browser is to take it for a page.
  return new StatusError(status, { 'x-content-type-options': 'nosniff' });
}
