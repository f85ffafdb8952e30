/** Figures that add up over servers. */
export const usageMetrics = ['memoryBytes', 'cpuPercent'] as const;
export type UsageMetric = (typeof usageMetrics)[number];
