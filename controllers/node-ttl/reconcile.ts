import { bringing, type Loop, type Reconciler } from '../runtime/controller.ts';
import { annotationOf, isDeleting, nameOf } from '../runtime/kube-object.ts';
import { nodes } from '../runtime/resources.ts';
import { ttlAnnotation, ttlFor } from './plan.ts';

/** Tells each node how long it may keep what it has read. */
const reconcile: Reconciler = async ({ key, read, write }) => {
  const node = read(nodes).find(key);
  if (!node || isDeleting(node)) return undefined;
  const text = annotationOf(node, ttlAnnotation);
  const seconds = ttlFor(read(nodes).size, text === undefined ? undefined : Number(text));
  if (text === String(seconds)) return undefined;
  await write(nodes).patch(node, { metadata: { annotations: { [ttlAnnotation]: String(seconds) } } });
  return undefined;
};

export const nodeTtlLoops: readonly Loop[] = [
  {
    name: 'ttl',
    watches: [
      // One node more or fewer may matter to all, but hardly ever does: only those come that are told something else.
      bringing(nodes, (changed, read) => {
        const { size } = read(nodes);
        return read(nodes)
          .all()
          .filter((node) => {
            const text = annotationOf(node, ttlAnnotation);
            return text !== String(ttlFor(size, text === undefined ? undefined : Number(text)));
          })
          .map(nameOf)
          .concat(read(nodes).find(nameOf(changed)) ? [nameOf(changed)] : []);
      }),
    ],
    reconcile,
  },
];
