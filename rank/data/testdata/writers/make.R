# Writes the files of R 4.2.2; see make.py.
table <- data.frame(label = c(2L, 0L, 1L, 0L), qid = c("q1", "q1", "NA", "NA"),
                    doc = c("a,b", "say \"hi\"", "c;d", "Z\u00fcrich"), price = c(0.25, NA, 100000, -1e-07),
                    stock = c(3L, NA, 0L, 16777215L), new = c(TRUE, FALSE, NA, TRUE))
same <- function(got) stopifnot(all.equal(got[, -(2:3)], table[, -(2:3)], tolerance = 0, check.attributes = FALSE))
write.csv(table, "r_names.csv", fileEncoding = "UTF-8")
same(read.csv("r_names.csv", row.names = 1))
write.csv(table, "r.csv", row.names = FALSE, fileEncoding = "UTF-8")
same(read.csv("r.csv"))
write.csv2(table, "r_europe.csv", row.names = FALSE, fileEncoding = "UTF-8")
same(read.csv2("r_europe.csv"))
write.table(table, "r_table.csv", sep = ",", qmethod = "double", fileEncoding = "UTF-8")
same(read.csv("r_table.csv"))
