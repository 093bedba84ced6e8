import { slip } from '../fault.ts';

const metricRules = 'kinds/autoscaling/metric-rules.ts';

/** What autoscalers go by, and how fast they may. */
export default [
  slip(
    'a measure from outside may have a value and an average as its target',
    ['component'],
    metricRules,
    "      ...notBoth(source.target ?? {}, ['value', 'averageValue'], at.child('target')),\n",
    '',
  ),
  slip(
    'a share of a resource may stand beside an average',
    ['component'],
    metricRules,
    "    ...notBoth(target, ['averageValue', 'averageUtilization'], at),\n",
    '',
  ),
  slip(
    'a target of an autoscaler may be nothing at all',
    ['component'],
    metricRules,
    'quantity !== undefined && signOf(quantity) <= 0',
    'quantity !== undefined && signOf(quantity) < 0',
  ),
  slip(
    'the window of an autoscaler may be of any length where it says how it chooses',
    ['component'],
    metricRules,
    "...atMost(window, longestWindow, at.child('stabilizationWindowSeconds')),",
    "...atMost(rules.selectPolicy ? 0 : window, longestWindow, at.child('stabilizationWindowSeconds')),",
  ),
  slip(
    'an autoscaler cannot choose the least of its policies',
    ['component'],
    'kinds/autoscaling/metric-rules.ts',
    "['Disabled', 'Max', 'Min']",
    "['Disabled', 'Max']",
  ),
];
