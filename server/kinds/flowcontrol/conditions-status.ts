import { duplicate, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { eachOf } from '../field-rules.ts';
import { checkedStatus } from '../status-subresource.ts';

interface Observed extends KubeObject {
  status?: { conditions?: { type?: string }[] };
}

const at = FieldPath.of('status', 'conditions');

/** Conditions have types, each its own. */
export const conditionsStatus = checkedStatus<Observed>(({ status }) => {
  const seen = new Set<string>();
  return eachOf(status?.conditions, at, ({ type = '' }, here) => {
    const twice = seen.has(type);
    seen.add(type);
    return [
      ...(twice ? [duplicate(here.child('type'), type)] : []),
      ...(type ? [] : [required(here.child('type'), 'must not be empty')]),
    ];
  });
}, 'metadata');
