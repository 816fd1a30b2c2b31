"""The search: rounds of covers, populations of partitions, and the evidence that ends it."""
