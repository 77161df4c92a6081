"""The properties that targets and hypothesis tests share: one property, two engines."""
