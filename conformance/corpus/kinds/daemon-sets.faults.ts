import { slip } from '../fault.ts';

const daemonSet = 'kinds/apps/daemon-set.ts';

/** DaemonSets, and the generations of their pods. */
export default [
  slip(
    'a DaemonSet may have more pods and fewer at once while it rolls',
    ['component'],
    daemonSet,
    'if (goes && comes)',
    'if (goes && !goes)',
  ),
  slip(
    'a DaemonSet may have no way to roll',
    ['component'],
    daemonSet,
    'if (!goes && !comes) errors.push',
    'if (goes && !goes) errors.push',
  ),
  slip(
    'other pods of a DaemonSet are not counted',
    ['component'],
    daemonSet,
    'setTemplateGeneration(next, templateGeneration(previous) + (changed ? 1 : 0));',
    'setTemplateGeneration(next, templateGeneration(previous) + (changed ? 0 : 0));',
  ),
  slip(
    'any change of a DaemonSet counts as other pods',
    ['component'],
    daemonSet,
    'const changed = !sameValue(next.spec?.template, previous.spec?.template);',
    'const changed = !sameValue(next.spec, previous.spec);',
  ),
  slip(
    'how often the pods of a DaemonSet have changed says who writes its status',
    ['component'],
    daemonSet,
    '        setTemplateGeneration(next, templateGeneration(previous));\n',
    '',
  ),
  slip(
    'a status of a DaemonSet takes its wishes along',
    ['component'],
    daemonSet,
    'status.prepareUpdate?.(next, previous, context);',
    'if (next === previous) status.prepareUpdate?.(next, previous, context);',
  ),
  slip(
    'the Table of DaemonSets shows their labels as those of their nodes',
    ['content'],
    daemonSet,
    'labelText(object.spec?.template?.spec?.nodeSelector),',
    'labelText(object.spec?.selector?.matchLabels),',
  ),
];
