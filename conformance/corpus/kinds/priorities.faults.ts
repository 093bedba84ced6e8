import { slip } from '../fault.ts';

/** Who gives way to whom. */
export default [
  slip(
    'a priority may be one more than it may',
    ['component'],
    'kinds/scheduling/priority-class.ts',
    'value > highestUserPriority',
    'value > highestUserPriority + 1',
  ),
  slip(
    'no class of pods may let others be',
    ['component'],
    'kinds/scheduling/priority-class.ts',
    "['PreemptLowerPriority', 'Never'], FieldPath",
    "['PreemptLowerPriority'], FieldPath",
  ),
];
